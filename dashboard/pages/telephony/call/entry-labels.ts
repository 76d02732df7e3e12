import { CALL_ENDS, CALL_STATUSES, type CallEnd } from '../../../../contract/telephony/telephony-options.ts'
import { capitalize } from '../../../state/capitalize.ts'
import { CALL_STATUS_OPTIONS } from '../call-labels.ts'

/** The labels of entries that need more than their type. */
const LABELS: Record<string, string> = {
  in_progress: 'Answered',
  accepting: 'The provider was asked to answer',
  budget: 'A budget is reached',
  'carrier.found': 'The carrier has the call',
  'carrier.failed': 'The carrier refused',
  conversation_closed: 'The conversation was closed',
  hangup: 'A member ended the call',
  'relay.connected': 'Connected to the agent',
  'relay.disconnected': 'Disconnected from the agent',
  'relay.reconnected': 'Reconnected to the agent',
  'relay.ending': 'The conversation ends',
  'relay.ended': 'The conversation ended',
  'relay.error': 'The carrier reported an error',
  'transfer.requested': 'Transfer requested',
  'transfer.dialing': 'Dialing',
  'transfer.briefing': 'Answered; hears the summary',
  'transfer.bridged': 'Connected with the caller',
  'transfer.missed': 'Not reached',
  'transfer.failed': 'Back with the agent',
  'transfer.ended': 'The transferred call ended',
  result_sent: 'The result was sent to the caller',
  result_not_sent: 'The result was not sent to the caller',
  run_queued: 'A run was queued',
  whisper: 'Instruction for the agent',
  'workflow.started': 'A workflow started',
}

const PROBLEM = /fail|error|refus|lost|miss|no_answer|busy|budget|_not_/
/** The WebSocket codes of a connection that one side closed. Any other code is a connection that broke. */
const CLOSED = ['1000', '1001', '1005']

interface Entry {
  type: string
  detail: string | null
}

const isBroken = ({ type, detail }: Entry) => type === 'relay.disconnected' && !CLOSED.includes(detail ?? '')

/** The label of an entry. A type without a label is shown by its name: `recording.stored` is `Recording stored`. */
export function entryLabel(entry: Entry): { label: string; isProblem: boolean } {
  const { type } = entry
  const isStatus = CALL_STATUSES.some((status) => status === type)
  const status = isStatus ? CALL_STATUS_OPTIONS.find(({ value }) => value === type)?.label : undefined
  return {
    label: LABELS[type] ?? status ?? readableName(type),
    isProblem: PROBLEM.test(type) || isBroken(entry),
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The detail as text for people; null if it is only the id of a record. */
export function entryDetail(entry: Entry): string | null {
  const { type, detail } = entry
  if (type === 'relay.disconnected') return isBroken(entry) ? `The connection broke (code ${detail})` : null
  if (detail === null || UUID.test(detail)) return null
  return detail in CALL_ENDS ? CALL_ENDS[detail as CallEnd] : detail
}

const readableName = (type: string) => capitalize(type.replaceAll(/[._-]+/g, ' ').trim())
