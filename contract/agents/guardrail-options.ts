/** Plain data without schemas: the server, the dashboard and the CLI read it. */
export const GUARDRAIL_KINDS = {
  regex: 'Pattern',
  pii: 'Personal data',
  topic: 'Words and phrases',
  model: 'Model',
} as const
export type GuardrailKind = keyof typeof GUARDRAIL_KINDS

export const GUARDRAIL_STAGES = {
  input: 'Messages',
  tool: 'Tool calls',
  output: 'Answers',
} as const
export type GuardrailStage = keyof typeof GUARDRAIL_STAGES

export const GUARDRAIL_ACTIONS = { block: 'Block', redact: 'Redact', flag: 'Flag' } as const
export type GuardrailAction = keyof typeof GUARDRAIL_ACTIONS

export const PII_KINDS = {
  email: 'Email addresses',
  phone: 'Phone numbers',
  card: 'Card numbers',
  iban: 'IBANs',
  national_id: 'National ids',
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
