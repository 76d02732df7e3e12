import { Code } from '../../../components/code.tsx'

interface HttpMessageProps {
  title: string
  /** The method and URL of a request, or the status of a response. */
  startLine: string
  headers: Record<string, string>
  body: string
  note?: string
}

/** A request or response with its headers and body. */
export function HttpMessage({ title, startLine, headers, body, note }: HttpMessageProps) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const kind = title.toLowerCase()
  return (
    <section aria-label={title} className="flex flex-col gap-4">
      <h4 className="font-medium text-12">{title}</h4>
      <Code what={`${kind} headers`}>{[startLine, ...lines].join('\n')}</Code>
      {body === '' ? (
        <p className="text-12">No body.</p>
      ) : (
        <Code what={`${kind} body`} tall>
          {pretty(body)}
        </Code>
      )}
      {note && <p className="text-12">{note}</p>}
    </section>
  )
}

/** Indents JSON; returns any other text unchanged. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
