import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CALL_ENDS, CALL_STATUSES, type CallEnd } from '../../../../contract/telephony/telephony-options.ts'
import { t } from '../../../../contract/text.ts'
import { memberNamesQuery } from '../../../api/conversations.ts'
import { formatExact } from '../../../components/dates.ts'
import { LINK } from '../../../components/layout/fact.tsx'
import { capitalize } from '../../../state/label-in-sentence.ts'
import { CALL_STATUS_OPTIONS } from '../call-labels.ts'
import type { CallDetails } from '../telephony-queries.ts'

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

function Detail({ entry: { type, detail } }: { entry: CallDetails['timeline'][number] }) {
  const isMember = type === 'hangup' && detail !== null
  const members = useQuery({ ...memberNamesQuery, enabled: isMember })
  const text = isMember ? (members.data?.get(detail) ?? null) : entryDetail({ type, detail })
  if (type === 'run_queued' && detail)
    return (
      <Link to="/runs/$runId" params={{ runId: detail }} className={`block text-12 ${LINK}`}>
        Open run
      </Link>
    )
  return text && <span className="wrap-anywhere block text-12 text-neutral-11">{text}</span>
}

/** `0:00`, `1:07` after the start. Earlier entries show `0:00`. */
function formatOffset(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** For entries that need more than their type. */
const LABELS: Record<string, string> = {
  in_progress: t`Answered`,
  accepting: t`Asked the provider to answer`,
  budget: t`Budget reached`,
  'carrier.found': t`Carrier has the call`,
  'carrier.failed': t`Carrier refused`,
  conversation_closed: t`Conversation closed`,
  hangup: t`Ended by a member`,
  'relay.connected': t`Connected to the agent`,
  'relay.disconnected': t`Disconnected from the agent`,
  'relay.reconnected': t`Reconnected to the agent`,
  'relay.ending': t`Conversation ending`,
  'relay.ended': t`Conversation ended`,
  'relay.error': t`Carrier reported an error`,
  'transfer.requested': t`Transfer requested`,
  'transfer.dialing': t`Dialing`,
  'transfer.briefing': t`Answered, hearing the summary`,
  'transfer.bridged': t`Connected to the caller`,
  'transfer.missed': t`Not reached`,
  'transfer.failed': t`Back with the agent`,
  'transfer.ended': t`Transferred call ended`,
  result_sent: t`Result sent to the caller`,
  result_not_sent: t`Result not sent to the caller`,
  run_queued: t`Run queued`,
  whisper: t`Instruction for the agent`,
  'workflow.started': t`Workflow started`,
}

const PROBLEM = /fail|error|refus|lost|miss|no_answer|busy|budget|_not_/
/** One side closed the connection. Any other WebSocket code means it broke. */
const CLOSED = ['1000', '1001', '1005']

interface Entry {
  type: string
  detail: string | null
}

const isBroken = ({ type, detail }: Entry) => type === 'relay.disconnected' && !CLOSED.includes(detail ?? '')

/** Unlabeled types show their name: `recording.stored` becomes `Recording stored`. */
function entryLabel(entry: Entry): { label: string; isProblem: boolean } {
  const { type } = entry
  const isStatus = CALL_STATUSES.some((status) => status === type)
  const status = isStatus ? CALL_STATUS_OPTIONS.find(({ value }) => value === type)?.label : undefined
  return {
    label: LABELS[type] ?? status ?? readableName(type),
    isProblem: PROBLEM.test(type) || isBroken(entry),
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Null if the detail is only a record's id. */
function entryDetail(entry: Entry): string | null {
  const { type, detail } = entry
  if (type === 'relay.disconnected') return isBroken(entry) ? t`Connection lost (code ${detail!})` : null
  if (detail === null || UUID.test(detail)) return null
  return detail in CALL_ENDS ? CALL_ENDS[detail as CallEnd] : detail
}

const readableName = (type: string) => capitalize(type.replaceAll(/[._-]+/g, ' ').trim())
