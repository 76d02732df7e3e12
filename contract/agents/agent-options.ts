import { t } from '../text.ts'

/** Plain data without schemas: the server validates against it, the dashboard and the documentation show it. */

/** In the editor's order. */
export const AGENT_TOOLS = {
  blocks: { label: t`Canvas`, description: t`Read and change its project’s blocks.` },
  tables: { label: t`Tables`, description: t`Read and change its project’s tables and their rows.` },
  files: { label: t`Files`, description: t`Read, write and organize its project’s files.` },
  memory: { label: t`Memory`, description: t`Search and save memories.` },
  web: { label: t`Web`, description: t`Search the web and read its pages. Their content is untrusted.` },
  phone: { label: t`Phone`, description: t`Make calls and send text messages.` },
  agents: { label: t`Other agents`, description: t`Hand work to other agents.` },
  code: { label: t`Code`, description: t`Run programs that call its other tools, under the same rules.` },
} as const

export type AgentTool = keyof typeof AGENT_TOOLS
export const AGENT_TOOL_NAMES = Object.keys(AGENT_TOOLS) as AgentTool[]

/** Harm that isn't easily undone. A rule for a risk applies to all tools with it. */
export const AGENT_RISKS = {
  send: { label: t`Send`, description: t`Messages, emails and calls to others.` },
  spend: { label: t`Spend`, description: t`Payments and paid services.` },
  delete: { label: t`Delete`, description: t`Permanent deletions.` },
  share: { label: t`Share`, description: t`Giving others access.` },
  execute: { label: t`Execute`, description: t`Running code and commands.` },
} as const

export type AgentRisk = keyof typeof AGENT_RISKS
export const AGENT_RISK_NAMES = Object.keys(AGENT_RISKS) as AgentRisk[]

export const APPROVAL_RULES = ['ask', 'allow', 'deny'] as const
export type ApprovalRule = (typeof APPROVAL_RULES)[number]

export const REASONING_LEVELS = ['off', 'low', 'medium', 'high'] as const

export const AGENT_CHANGES = ['created', 'updated', 'restored', 'archived', 'unarchived'] as const

/** Lengths in characters. */
export const AGENT_LIMITS = {
  name: 100,
  description: 1000,
  emoji: 16,
  imageBytes: 262_144,
  /** On each side. */
  imagePixels: 1024,
  model: 200,
  prompt: 32_000,
  fallbackModels: 5,
  /** Connectors, MCP servers, skills, guardrails and knowledge, each. */
  references: 50,
  approvals: 100,
  /** Allowed and denied ones, each. */
  domains: 100,
  maxSteps: { min: 1, max: 100, default: 20 },
  maxMinutes: { min: 1, max: 240, default: 60 },
} as const

/** For an agent created without naming its tools. */
export const AGENT_TOOL_DEFAULTS: Record<AgentTool, boolean> = {
  blocks: true,
  tables: true,
  files: true,
  memory: true,
  web: false,
  phone: false,
  agents: false,
  code: true,
}
