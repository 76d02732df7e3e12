import {
  AGENT_LIMITS,
  AGENT_TOOL_DEFAULTS,
  type AgentTool,
  type ApprovalRule,
} from '../../../../../contract/agents/agent-options.ts'
import { type AgentTemplateName, toTemplateSettings } from '../../../../../contract/agents/agent-templates.ts'
import type { OutputSchema } from '../../../../../contract/agents/output-rules.ts'
import type { Agent } from '../../../../api/agents.ts'
import { editableAmount, parseAmount } from '../../../../components/amounts.ts'
import { toJsonText } from '../../../../components/results/labels.ts'

/** Numbers and amounts are text while typed. */
export interface Draft {
  name: string
  emoji: string
  description: string
  model: string
  fallbackModels: string[]
  prompt: string
  tools: Record<AgentTool, boolean>
  /** Separated by commas. */
  web: Record<keyof Agent['web'], string>
  skills: string[]
  mcpServers: string[]
  allowedConnectors: string[]
  approvals: Record<string, ApprovalRule>
  guardrails: string[]
  knowledge: string[]
  maxSteps: string
  maxMinutes: string
  budget: string
  reasoning: Agent['reasoning']
  /** JSON. Empty for none. */
  outputSchema: string
}

export const NEW_DRAFT: Draft = {
  name: '',
  emoji: '',
  description: '',
  model: '',
  fallbackModels: [],
  prompt: '',
  tools: AGENT_TOOL_DEFAULTS,
  web: { allowedDomains: '', deniedDomains: '' },
  skills: [],
  mcpServers: [],
  allowedConnectors: [],
  approvals: {},
  guardrails: [],
  knowledge: [],
  maxSteps: String(AGENT_LIMITS.maxSteps.default),
  maxMinutes: String(AGENT_LIMITS.maxMinutes.default),
  budget: '',
  reasoning: 'off',
  outputSchema: '',
}

export const templateDraft = (template: AgentTemplateName): Draft => toDraft(toTemplateSettings(template))

export const toDraft = (agent: Omit<Agent, NotSetting>): Draft => ({
  name: agent.name,
  emoji: agent.emoji ?? '',
  description: agent.description ?? '',
  model: agent.model ?? '',
  fallbackModels: agent.fallbackModels,
  prompt: agent.prompt,
  tools: agent.tools,
  web: {
    allowedDomains: agent.web.allowedDomains.join(', '),
    deniedDomains: agent.web.deniedDomains.join(', '),
  },
  skills: agent.skills,
  mcpServers: agent.mcpServers,
  allowedConnectors: agent.allowedConnectors,
  approvals: agent.approvals,
  guardrails: agent.guardrails,
  knowledge: agent.knowledge,
  maxSteps: String(agent.maxSteps),
  maxMinutes: String(agent.maxMinutes),
  budget: agent.budget === null ? '' : editableAmount(agent.budget.amount),
  reasoning: agent.reasoning,
  outputSchema: agent.outputSchema === null ? '' : toJsonText(agent.outputSchema),
})

type NotSetting =
  | 'id'
  | 'imageUrl'
  | 'warnings'
  | 'version'
  | 'createdBy'
  | 'createdAt'
  | 'updatedAt'
  | 'archivedAt'
  | 'canEdit'

export function changedSettings(before: Draft, after: Draft) {
  const isChanged = (field: keyof Draft) =>
    JSON.stringify(sortEntries(before[field])) !== JSON.stringify(sortEntries(after[field]))
  const settings = toSettings(after)
  const fields = (Object.keys(after) as (keyof Draft)[]).filter(isChanged)
  return Object.fromEntries(fields.map((field) => [field, settings[field]])) as Partial<typeof settings>
}

/** Rule order has no meaning; model order has. */
const sortEntries = (value: Draft[keyof Draft]) =>
  typeof value === 'object' && !Array.isArray(value)
    ? Object.entries(value).toSorted(([a], [b]) => a.localeCompare(b))
    : value

export function toSettings(draft: Draft) {
  const { name, emoji, description, model, fallbackModels, budget, maxSteps, maxMinutes, web, ...others } =
    draft
  const { outputSchema, ...rest } = others
  return {
    ...rest,
    web: { allowedDomains: toDomains(web.allowedDomains), deniedDomains: toDomains(web.deniedDomains) },
    name: name.trim(),
    emoji: emoji || null,
    description: description.trim() || null,
    model: model.trim() || null,
    fallbackModels: fallbackModels.map((each) => each.trim()).filter(Boolean),
    outputSchema: outputSchema === '' ? null : toSchemaSetting(outputSchema),
    maxSteps: Number(maxSteps),
    maxMinutes: Number(maxMinutes),
    budget: budget.trim() ? { amount: parseAmount(budget), currency: 'USD' as const } : null,
  }
}

/** The server says what is wrong with a text that isn't JSON. */
function toSchemaSetting(text: string): OutputSchema {
  try {
    return JSON.parse(text)
  } catch {
    return text as never
  }
}

const toDomains = (typed: string) => typed.split(/[\s,;]+/).filter(Boolean)

export interface FieldsProps {
  draft: Draft
  update: (change: Partial<Draft>) => void
  errorOf: (field: string) => string | undefined
}
