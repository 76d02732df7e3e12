import { POSITION } from '../../../../../contract/agents/sessions.ts'

/** The last entries of a session that a client has received. */
export interface Position {
  /** The number of the last message. */
  message: number
  /** The number of the last run in its session, and of the last event of that run. */
  run: number
  event: number
  /** Whether the client also has the approval that the event is about. */
  hasApproval: boolean
}

export const formatPosition = ({ message, run, event, hasApproval }: Position): string =>
  `${message}.${run}.${event}${hasApproval ? '.1' : ''}`

/** Undefined for text that is not a position. */
export function parsePosition(text: string | undefined): Position | undefined {
  if (text === undefined || !POSITION.test(text)) return undefined
  const [message, run, event, approval] = text.split('.').map(Number)
  return { message: message!, run: run!, event: event!, hasApproval: approval === 1 }
}
