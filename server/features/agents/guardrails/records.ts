import type { z } from 'zod'
import type { Guardrail, GuardrailRule } from '../../../../contract/agents/guardrails.ts'

export type GuardrailRow = z.output<typeof Guardrail>

/** The stored settings, which were validated for their kind. */
export const ruleOf = ({ kind, on, action, config }: Omit<GuardrailRow, 'id'>): GuardrailRule =>
  ({ kind, on, action, config }) as GuardrailRule
