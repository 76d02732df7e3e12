import type { CallEnd } from '../../../../contract/telephony/telephony-options.ts'

/** The value of `calls.relay`. */
export interface RelayState {
  tokenHash?: string
  tokenUntil?: string
  /** Counts the connections of the carrier: an older one can no longer change the call. */
  connection?: number
  /** How often the conversation was connected again after a lost connection. */
  reconnects?: number
  /** The language that the conversation has switched to. */
  language?: string
  position?: Position
  /** The reason for the end of the conversation, which then ends the call. */
  ending?: Ending
  /** Consecutive turns in which the agent did not speak. */
  fruitless?: number
}

/** The position in the answers of a run up to which they were spoken. */
export interface Position {
  runId: string
  /** The last event of the run whose text was spoken completely. */
  seq: number
  /** How many characters of the text after it were spoken. */
  offset: number
}

export interface Ending {
  reason: CallEnd
  /** The last sentence that the caller hears. */
  say?: string | null
}
