import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { endpoint, member, steppedUp } from '../endpoint.ts'
import { Id, Timestamp, text } from '../fields.ts'
import { Model } from './agent-fields.ts'
import {
  GUARDRAIL_ACTIONS,
  GUARDRAIL_KINDS,
  GUARDRAIL_LIMITS,
  GUARDRAIL_STAGES,
  PII_KINDS,
} from './guardrail-options.ts'

export const GUARDRAIL_AREA = 'Managing guardrails'

const keys = <T extends object>(labels: T) =>
  Object.keys(labels) as [keyof T & string, ...(keyof T & string)[]]
const oneOf = <T extends object>(labels: T) =>
  z.enum(keys(labels), { error: `must be one of ${Object.keys(labels).join(', ')}` })

const distinct = <T extends z.ZodType<string>>(entry: T, max: number, noun: string) =>
  z
    .array(entry)
    .min(1, `must have at least one ${noun}`)
    .max(max, `must have at most ${max} entries`)
    .transform((list) => [...new Set(list)])

export const guardrailConfigs = {
  regex: z.strictObject({
    pattern: text(1, GUARDRAIL_LIMITS.pattern, { trim: false })
      .describe('Regular expression in RE2 syntax: no lookaround or backreferences')
      .meta({ examples: ['sk-[a-z0-9]{20,}'] }),
    ignoreCase: z.boolean().default(false),
  }),
  pii: z.strictObject({ kinds: distinct(oneOf(PII_KINDS), Object.keys(PII_KINDS).length, 'kind') }),
  topic: z.strictObject({
    phrases: distinct(
      text(1, GUARDRAIL_LIMITS.phrase, { normalize: true }),
      GUARDRAIL_LIMITS.phrases,
      'phrase',
    )
      .describe('Whole words, ignoring case')
      .meta({ examples: [['project aurora', 'layoff']] }),
  }),
  model: z.strictObject({
    model: Model.describe('Model that decides, as in `GET /models`'),
    instructions: text(1, GUARDRAIL_LIMITS.instructions)
      .describe('Which texts match')
      .meta({ examples: ['The text gives medical advice about a named person.'] }),
  }),
}

const ruleFields = {
  on: oneOf(GUARDRAIL_STAGES).describe(
    '`input`: messages to the agent; `tool`: tool call inputs and outputs; `output`: the agent’s answers',
  ),
  action: oneOf(GUARDRAIL_ACTIONS).describe(
    '`block` ends the run or refuses the call, `redact` replaces the match, `flag` only records the match',
  ),
}
const settingFields = {
  name: displayName(1, GUARDRAIL_LIMITS.name).meta({ examples: ['No API keys'] }),
  everywhere: z
    .boolean()
    .default(false)
    .describe('Applies to every agent in the organization, not only those that list it'),
  enabled: z.boolean().default(true),
}

const variants = <F extends z.core.$ZodLooseShape>(fields: F) => {
  const variant = <K extends keyof typeof guardrailConfigs>(kind: K) =>
    z.strictObject({ kind: z.literal(kind), ...fields, config: guardrailConfigs[kind] })
  return z.discriminatedUnion(
    'kind',
    [variant('regex'), variant('pii'), variant('topic'), variant('model')],
    { error: `must be one of ${Object.keys(GUARDRAIL_KINDS).join(', ')}` },
  )
}

export const GuardrailRule = variants(ruleFields)
export type GuardrailRule = z.output<typeof GuardrailRule>

export const Guardrail = z.object({
  id: Id,
  name: z.string(),
  kind: oneOf(GUARDRAIL_KINDS),
  on: oneOf(GUARDRAIL_STAGES),
  action: oneOf(GUARDRAIL_ACTIONS),
  config: z.record(z.string(), z.unknown()).describe('Depends on the `kind`'),
  everywhere: z.boolean(),
  enabled: z.boolean(),
  version: z.int(),
  createdBy: Id.nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

const params = z.object({ id: Id })
const REDACTS = 'A `model` rule cannot redact: a model decides about a whole text.'
const EVERYWHERE = 'A guardrail for all agents requires the admin role.'

export const guardrails = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/guardrails',
    summary: 'List guardrails',
    description: 'The organization’s guardrails by name, each with the agents that list it.',
    access: member(),
    output: z.object({
      items: z.array(
        Guardrail.extend({
          agents: z
            .array(z.object({ id: Id, name: z.string() }))
            .describe('Agents that list it, except archived ones'),
        }),
      ),
    }),
    tool: 'read',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/guardrails',
    summary: 'Create a guardrail',
    description: `${REDACTS} ${EVERYWHERE} Runs in progress follow the rule starting with their next step.`,
    access: steppedUp(GUARDRAIL_AREA, { edits: true }),
    body: variants({ ...settingFields, ...ruleFields }),
    output: Guardrail,
    status: 201,
    idempotent: true,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/guardrails/:id',
    summary: 'Get a guardrail',
    access: member(),
    params,
    output: Guardrail,
    versioned: true,
    tool: 'read',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/guardrails/:id',
    summary: 'Update a guardrail',
    description: `A guardrail’s \`kind\` cannot change; \`config\` replaces the previous one. ${EVERYWHERE}`,
    access: steppedUp(GUARDRAIL_AREA, { edits: true }),
    params,
    body: z
      .object({
        name: settingFields.name.optional(),
        on: ruleFields.on.optional(),
        action: ruleFields.action.optional(),
        config: z.record(z.string(), z.unknown(), { error: 'must be an object' }).optional(),
        everywhere: z.boolean().optional(),
        enabled: z.boolean().optional(),
      })
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must have at least one field to change',
      }),
    output: Guardrail,
    versioned: true,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/guardrails/:id',
    summary: 'Delete a guardrail',
    description: `Agents that list it continue without it. ${EVERYWHERE}`,
    access: steppedUp(GUARDRAIL_AREA, { edits: true }),
    params,
    output: z.object({ deleted: z.literal(true) }),
  }),
  try: endpoint({
    method: 'POST',
    path: '/api/v1/guardrails/try',
    summary: 'Try a guardrail',
    description:
      'Shows what a stored guardrail or a `rule` does to a text. The text is not stored. A model call counts as usage. Requires either `guardrailId` or `rule`. Returns CONFLICT if a budget does not allow the model call, and BAD_REQUEST if the model cannot be called.',
    access: member(),
    body: z
      .object({
        guardrailId: Id.optional().meta({ examples: ['0198f3a2-7c1e-7d44-9b1a-2f6c1de0a111'] }),
        rule: GuardrailRule.optional(),
        text: text(1, GUARDRAIL_LIMITS.tryText, { trim: false }),
      })
      .refine(({ guardrailId, rule }) => (guardrailId === undefined) !== (rule === undefined), {
        error: 'must have either a guardrailId or a rule',
      }),
    output: z.object({
      matched: z.boolean(),
      action: oneOf(GUARDRAIL_ACTIONS),
      text: z.string().nullable().describe('Text as it would be passed on; null if it is blocked'),
      matches: z
        .array(z.object({ start: z.int(), end: z.int(), label: z.string() }))
        .describe('Positions in UTF-16 code units; at most 1,000'),
    }),
    limit: { name: 'guardrail-try', by: 'caller', capacity: 60, perSeconds: 60 },
  }),
}
