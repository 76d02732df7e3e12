import type { GuardrailRule } from '../../../../../contract/agents/guardrails.ts'
import type { FindMatch } from './match.ts'
import { findPersonalData } from './personal-data.ts'
import { findPattern, findPhrases } from './phrases.ts'

/** `model` rules decide about whole texts instead. */
export type TextRule = Exclude<GuardrailRule, { kind: 'model' }>

export function createFinder(rule: TextRule): FindMatch {
  if (rule.kind === 'regex') return findPattern(rule.config.pattern, rule.config)
  if (rule.kind === 'pii') return findPersonalData(rule.config.kinds)
  return findPhrases(rule.config.phrases)
}
