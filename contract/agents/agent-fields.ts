import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { Id, text } from '../fields.ts'
import {
  AGENT_LIMITS,
  AGENT_RISK_NAMES,
  AGENT_TOOL_NAMES,
  AGENT_TOOLS,
  type AgentTool,
  APPROVAL_RULES,
  REASONING_LEVELS,
} from './agent-options.ts'
import { OutputSchema } from './output-schema.ts'

/** The provider has no slash; the rest is the provider's own model name, such as `meta-llama/llama-3:8b`. */
const MODEL = /^[a-z0-9][a-z0-9_-]{0,62}\/[A-Za-z0-9@][\w.:/@+-]*$/
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
/** MCP tool names have dots, colons and slashes. */
const TOOL_NAME = /^[A-Za-z0-9][\w.:/-]{0,127}$/

const integer = ({ min, max }: { min: number; max: number }) => {
  const rule = `must be a whole number from ${min} to ${max}`
  return z.int(rule).min(min, rule).max(max, rule)
}

/** Deduplicates, in request order. */
const listOf = <T extends z.ZodType<string>>(entry: T, max: number) =>
  z
    .array(entry)
    .max(max, `must have at most ${max} entries`)
    .refine((list) => new Set(list).size === list.length, 'must not contain duplicates')

export const Model = text(1, AGENT_LIMITS.model)
  .refine((value) => MODEL.test(value), 'must be a provider and a model, such as anthropic/claude-sonnet-4-5')
  .meta({ examples: ['anthropic/claude-sonnet-4-5'] })

const switches = Object.fromEntries(
  AGENT_TOOL_NAMES.map((name) => [name, z.boolean().describe(AGENT_TOOLS[name].description)]),
) as Record<AgentTool, z.ZodBoolean>
export const Tools = z.strictObject(switches)

export const Approvals = z
  .record(z.string(), z.enum(APPROVAL_RULES, { error: 'must be ask, allow or deny' }))
  .superRefine((rules, ctx) => {
    const names = Object.keys(rules)
    if (names.length > AGENT_LIMITS.approvals)
      ctx.addIssue(`must have at most ${AGENT_LIMITS.approvals} rules`)
    const invalidName = names.find((name) => !TOOL_NAME.test(name))
    if (invalidName !== undefined)
      ctx.addIssue({ code: 'custom', path: [invalidName], message: 'must be a tool name or a risk' })
  })
  .describe(
    `Rules by tool name or risk (${AGENT_RISK_NAMES.join(', ')}): \`ask\` for approval, \`allow\` or \`deny\`. A rule for a tool takes precedence over one for its risk`,
  )
  .meta({ examples: [{ send: 'ask', delete: 'deny' }] })

/** A decimal string, because a double would lose precision. */
export const Budget = z.strictObject({
  amount: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,6})?$/, 'must be a decimal such as 2.50')
    .refine((amount) => Number(amount) > 0, 'must be greater than 0')
    .meta({ examples: ['2.50'] }),
  currency: z.literal('USD', { error: 'must be USD' }).default('USD'),
})

/** `example.com` includes `www.example.com`. */
const Domains = z
  .array(
    z
      .string()
      .trim()
      .toLowerCase()
      .max(253)
      .regex(
        /^(?=.*[a-z])([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/,
        'must be a domain such as example.com, without https:// or a path',
      )
      .meta({ examples: ['example.com'] }),
  )
  .max(AGENT_LIMITS.domains, `must have at most ${AGENT_LIMITS.domains} domains`)
  .overwrite((domains) => [...new Set(domains)])

export const Web = z.strictObject({
  allowedDomains: Domains.describe('Only these and their subdomains are searched and read; empty for all'),
  deniedDomains: Domains.describe('Never searched or read, with their subdomains'),
})

export const WEB_DEFAULT: z.output<typeof Web> = { allowedDomains: [], deniedDomains: [] }

const references = (records: string) => listOf(Id, AGENT_LIMITS.references).describe(`Ids of ${records}`)

export const settingFields = {
  name: displayName(1, AGENT_LIMITS.name).meta({ examples: ['Researcher'] }),
  description: text(0, AGENT_LIMITS.description)
    .nullable()
    .describe('What the agent is for; helps members and other agents choose it'),
  emoji: text(0, AGENT_LIMITS.emoji).nullable(),
  model: Model.nullable().describe('As in `GET /models`; null for the organization’s default model'),
  fallbackModels: listOf(Model, AGENT_LIMITS.fallbackModels).describe(
    'Tried in this order when the model does not respond',
  ),
  prompt: text(0, AGENT_LIMITS.prompt, { trim: false }).describe(
    'Instructions that precede every conversation',
  ),
  tools: Tools,
  web: Web.describe('Domains that `web_search` and `web_fetch` may use'),
  allowedConnectors: listOf(
    text(1, 64)
      .refine((value) => SLUG.test(value), 'must be a connector slug')
      .meta({ examples: ['github'] }),
    AGENT_LIMITS.references,
  ).describe('Slugs of the connectors it can use'),
  mcpServers: references('the MCP servers it can use'),
  skills: references('its skills'),
  guardrails: references('its guardrails'),
  knowledge: references(
    'the projects, folders and files that `search_knowledge` searches; none means the project that it works in',
  ),
  approvals: Approvals,
  maxSteps: integer(AGENT_LIMITS.maxSteps).describe('A run fails after this many model calls'),
  maxMinutes: integer(AGENT_LIMITS.maxMinutes).describe('A run fails after this time'),
  budget: Budget.nullable().describe('Maximum cost per run; null if the agent has no limit'),
  reasoning: z
    .enum(REASONING_LEVELS, { error: `must be one of ${REASONING_LEVELS.join(', ')}` })
    .describe('How much the model reasons before answering, if it supports reasoning'),
  outputSchema: OutputSchema.nullable().describe(
    'Format of its runs’ `output`. A message’s or block’s schema takes precedence. Null for free text',
  ),
}

export type SettingName = keyof typeof settingFields
export const SETTING_NAMES = Object.keys(settingFields) as SettingName[]
