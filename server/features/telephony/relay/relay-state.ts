import type { CallEnd } from '../../../../contract/telephony/telephony-options.ts'

/** What `calls.relay` holds. */
export interface RelayState {
  tokenHash?: string
  tokenUntil?: string
  /** Counts the connections of the carrier: an older one changes nothing any more. */
  connection?: number
  /** How often the conversation was connected again after a lost connection. */
  reconnects?: number
  /** The language that the conversation has switched to. */
  language?: string
  position?: Position
  /** Why the conversation ends; what follows is the end of the call. */
  ending?: Ending
  /** Turns in a row in which the agent said nothing. */
  fruitless?: number
}

/** Up to where the answers of a run were spoken. */
export interface Position {
  runId: string
  /** The last event of the run of which everything was spoken. */
  seq: number
  /** How many characters of the text after it were spoken. */
  offset: number
}

export interface Ending {
  reason: CallEnd
  /** What the caller hears last. */
  say?: string | null
}
