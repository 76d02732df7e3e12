import type { z } from 'zod'
import type { RuleAction, RuleMatch } from '../../../../contract/telephony/telephony-fields.ts'

/** An action as it is stored: that of a workflow with the project of its block. */
export type StoredAction = z.output<typeof RuleAction> & { projectId?: string }
export type Match = z.output<typeof RuleMatch>

/** The fields of a rule that decide whether it matches. */
export interface MatchedRule {
  enabled: boolean
  match: Match
}

/** A call or a text message that arrives. */
export interface IncomingContact {
  channel: 'voice' | 'sms'
  numberId: string
  from: string
  /** Of a text message. */
  text: string | null
  at: Date
}

/** Answers if no rule applies, or if neither the action nor the fallback of the rule can be carried out. */
export const DEFAULT_ACTION: StoredAction = {
  type: 'reject',
  message: 'We cannot take your call at the moment. Please try again later. Goodbye.',
}
