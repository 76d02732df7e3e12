import { t } from '../text.ts'

/** Plain data without schemas, for the server, the dashboard and the CLI. */
export const GUARDRAIL_KINDS = {
  regex: t`Pattern`,
  pii: t`Personal data`,
  topic: t`Words and phrases`,
  model: t`Model`,
} as const
export type GuardrailKind = keyof typeof GUARDRAIL_KINDS

export const GUARDRAIL_STAGES = {
  input: t`Messages`,
  tool: t`Tool calls`,
  output: t`Replies`,
} as const
export type GuardrailStage = keyof typeof GUARDRAIL_STAGES

export const GUARDRAIL_ACTIONS = { block: t`Block`, redact: t`Redact`, flag: t`Flag` } as const
export type GuardrailAction = keyof typeof GUARDRAIL_ACTIONS

export const PII_KINDS = {
  email: t`Email addresses`,
  phone: t`Phone numbers`,
  card: t`Card numbers`,
  iban: t`IBANs`,
  national_id: t`National IDs`,
} as const
export type PiiKind = keyof typeof PII_KINDS

export const GUARDRAIL_LIMITS = {
  name: 80,
  pattern: 1000,
  phrases: 200,
  phrase: 200,
  instructions: 4000,
  tryText: 50_000,
}
