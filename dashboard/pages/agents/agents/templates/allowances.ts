import {
  AGENT_RISK_NAMES,
  AGENT_RISKS,
  AGENT_TOOL_NAMES,
  AGENT_TOOLS,
  type AgentRisk,
} from '../../../../../contract/agents/agent-options.ts'
import { t } from '../../../../../contract/text.ts'
import type { Draft } from '../editor/draft.ts'

export interface Allowance {
  kind: 'may' | 'asks' | 'never'
  /** Unique in the list. */
  name: string
  text: string
}

/** Without a rule, these ask. Deleting doesn't, because it can be undone. */
const ASKS_BY_DEFAULT: AgentRisk[] = ['send', 'spend', 'share', 'execute']

/** What an agent with these settings may do by itself, asks for, and never does. */
export function toAllowances(
  { tools, approvals, allowedConnectors }: Draft,
  names: Map<string, string>,
): Allowance[] {
  const ruleOf = (risk: AgentRisk) => approvals[risk] ?? (ASKS_BY_DEFAULT.includes(risk) ? 'ask' : 'allow')
  const risks = (rule: string) => AGENT_RISK_NAMES.filter((risk) => ruleOf(risk) === rule)
  return [
    ...AGENT_TOOL_NAMES.filter((name) => tools[name]).map(
      (name): Allowance => ({ kind: 'may', name, text: AGENT_TOOLS[name].description }),
    ),
    ...allowedConnectors.map(
      (slug): Allowance => ({
        kind: 'may',
        name: slug,
        text: t`Use ${names.get(slug) ?? slug}, once connected.`,
      }),
    ),
    ...risks('ask').map(
      (risk): Allowance => ({ kind: 'asks', name: risk, text: AGENT_RISKS[risk].description }),
    ),
    ...risks('deny').map(
      (risk): Allowance => ({ kind: 'never', name: risk, text: AGENT_RISKS[risk].description }),
    ),
  ]
}
