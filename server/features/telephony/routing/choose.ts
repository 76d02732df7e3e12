import { type CheckedRule, matchRule } from './match-rule.ts'
import type { Obstacle } from './obstacles.ts'
import { DEFAULT_ACTION, type IncomingContact, type StoredAction } from './rule.ts'
import type { AnsweringRule } from './rule-queries.ts'

export interface AnswerPlan<R = AnsweringRule> {
  /** Null: the default answers. */
  rule: R | null
  action: StoredAction
  /** The action that answers if the first one fails later: never the action itself. */
  fallback: StoredAction
  usesFallback: boolean
  /** Why the action of the rule is not used. */
  obstacle: Obstacle | null
  checked: readonly CheckedRule<R>[]
}

/**
 * The action that answers a call or a text message, according to the rules for its number. The fallback replaces an
 * action that cannot be carried out with the current rights of the owner of the rule, and the default replaces such a
 * fallback.
 */
export function chooseAction<R extends AnsweringRule>(
  rules: readonly R[],
  contact: IncomingContact,
): AnswerPlan<R> {
  const { rule, checked } = matchRule(rules, contact)
  if (rule === null) return { ...DEFAULT_PLAN, checked }
  const { action, obstacle } = rule
  const fallback = rule.fallbackObstacle === null ? rule.fallback : DEFAULT_ACTION
  if (obstacle === null) return { rule, action, fallback, usesFallback: false, obstacle, checked }
  return { rule, action: fallback, fallback: DEFAULT_ACTION, usesFallback: true, obstacle, checked }
}

const DEFAULT_PLAN = {
  rule: null,
  action: DEFAULT_ACTION,
  fallback: DEFAULT_ACTION,
  usesFallback: false,
  obstacle: null,
}
