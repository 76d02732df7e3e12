import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { memberNamesQuery } from '../../../api/conversations.ts'
import type { CallDetails } from '../../../api/telephony/calls.ts'
import { formatExact } from '../../../components/dates.ts'
import { LINK } from '../../../components/layout/fact.tsx'
import { entryDetail, entryLabel } from './entry-labels.ts'

/** Everything that happened during a call, oldest first, with the time since its start. */
export function CallTimeline({ call: { startedAt, timeline } }: { call: CallDetails }) {
  const start = Date.parse(startedAt)
  if (timeline.length === 0) return <p className="text-13 text-neutral-11">Nothing has happened yet.</p>
  return (
    <ol aria-label="Timeline" className="flex flex-col gap-8 text-13">
      {timeline.map((entry, index) => {
        const { label, isProblem } = entryLabel(entry)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever added at the end
          <li key={index} className="flex items-baseline gap-12">
            <time
              dateTime={entry.at}
              title={formatExact(entry.at)}
              className="w-48 shrink-0 text-right text-12 text-neutral-11 tabular-nums"
            >
              {formatOffset(Date.parse(entry.at) - start)}
            </time>
            <span className="min-w-0 flex-1">
              <span className={isProblem ? 'text-bad-text' : ''}>{label}</span>
              <Detail entry={entry} />
            </span>
          </li>
        )
      })}
    </ol>
  )
}

/** The detail of an entry: the member who ended the call, a link to a run, or a text. */
function Detail({ entry: { type, detail } }: { entry: CallDetails['timeline'][number] }) {
  const isMember = type === 'hangup' && detail !== null
  const members = useQuery({ ...memberNamesQuery, enabled: isMember })
  const text = isMember ? (members.data?.get(detail) ?? null) : entryDetail({ type, detail })
  if (type === 'run_queued' && detail)
    return (
      <Link to="/runs/$runId" params={{ runId: detail }} className={`block text-12 ${LINK}`}>
        Open the run
      </Link>
    )
  return text && <span className="wrap-anywhere block text-12 text-neutral-11">{text}</span>
}

/** `0:00`, `1:07`: minutes and seconds after the start. An entry with a time before the start is `0:00`. */
function formatOffset(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
