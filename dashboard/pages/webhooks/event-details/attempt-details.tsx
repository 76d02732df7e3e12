import { ChevronRight } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { Code } from '../../../components/code.tsx'
import { localizeSentence } from '../../../components/server-sentences.ts'
import { Time } from '../../../components/time.tsx'
import { formatDuration } from '../webhook-labels.ts'
import type { EventWithDeliveries } from '../webhooks-queries.ts'

type Attempt = EventWithDeliveries['deliveries'][number]['attempts'][number]

interface AttemptDetailsProps {
  attempt: Attempt
  event: EventWithDeliveries
  defaultOpen: boolean
}

export function AttemptDetails({ attempt, event, defaultOpen }: AttemptDetailsProps) {
  const { request, response, error } = attempt
  return (
    <li className="border-neutral-6 border-t">
      <details open={defaultOpen} className="group">
        <summary className="flex min-h-32 items-center gap-8 text-12 hover:text-neutral-12">
          <ChevronRight aria-hidden className="icon transition-transform group-open:rotate-90" />
          <span className="text-neutral-12">Attempt {attempt.attempt}</span>
          <Outcome response={response} error={error} />
          <span className="ml-auto flex shrink-0 items-center gap-8 tabular-nums">
            {formatDuration(attempt.durationMs)}
            <Time at={attempt.startedAt} />
          </span>
        </summary>
        <div className="flex flex-col gap-12 pb-12 pl-24">
          {error && <p className="text-12 text-bad-text">{localizeSentence(error)}.</p>}
          <HttpMessage
            title="Request"
            what={{ headers: t`request headers`, body: t`request body` }}
            startLine={`POST ${request.url}`}
            headers={request.headers}
            body={requestBodyOf(event)}
          />
          {response && (
            <HttpMessage
              title="Response"
              what={{ headers: t`response headers`, body: t`response body` }}
              startLine={t`Status ${response.status}`}
              headers={response.headers}
              body={response.body}
              note={response.truncated ? t`Body truncated.` : undefined}
            />
          )}
        </div>
      </details>
    </li>
  )
}

function Outcome({ response, error }: Pick<Attempt, 'response' | 'error'>) {
  const tone = error ? 'text-bad-text' : 'text-good-text'
  return <span className={`truncate font-mono ${tone}`}>{response?.status ?? t`No response`}</span>
}

/** The same for every attempt, so the server doesn't store it with each. */
const requestBodyOf = ({ id, type, receivedAt, source, payload }: EventWithDeliveries) =>
  JSON.stringify({ id, type, timestamp: receivedAt, source, data: payload })

interface HttpMessageProps {
  title: string
  /** Names of its parts. */
  what: { headers: string; body: string }
  /** A request's method and URL, or a response's status. */
  startLine: string
  headers: Record<string, string>
  body: string
  note?: string
}

function HttpMessage({ title, what, startLine, headers, body, note }: HttpMessageProps) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <section aria-label={title} className="flex flex-col gap-4">
      <h4 className="font-medium text-12">{title}</h4>
      <Code what={what.headers}>{[startLine, ...lines].join('\n')}</Code>
      {body === '' ? (
        <p className="text-12">No body.</p>
      ) : (
        <Code what={what.body} tall>
          {pretty(body)}
        </Code>
      )}
      {note && <p className="text-12">{note}</p>}
    </section>
  )
}

/** Returns other text unchanged. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
