import type { Risk, Trust } from '../../../../tools/tool.ts'
import type { RunAgent } from '../state/prompt.ts'

export type Policy = 'ask' | 'allow' | 'deny'

export interface Grant {
  tool: string
  /** As the approver saw it: a tool may both edit and delete. */
  risk: Risk
  scope: 'session' | 'agent'
}

/** Deleting can be undone. The rest leaves the server, costs money, or gives access to others. */
const DEFAULTS: Record<Risk, Policy> = {
  none: 'allow',
  delete: 'allow',
  send: 'ask',
  spend: 'ask',
  share: 'ask',
  execute: 'ask',
}

interface PolicyInput {
  tool: string
  /** For "always allow". Defaults to the tool's name. */
  grantName?: string
  risk: Risk
  trust: Trust
  agent: Pick<RunAgent, 'approvals' | 'orgApprovals'>
  grants: readonly Grant[]
  rule?: 'ask' | 'allow' | undefined
  /** Covered by a limit such as a mandate. Absent if the tool has none. */
  isCovered?: boolean | undefined
}

/**
 * Once a run has read untrusted content, every risky call requires approval regardless of the agent's settings, unless
 * a member allowed the tool in the same session. The organization can be stricter than the agent, and nobody can allow
 * a call it denies. A call over its limit always requires approval.
 */
export function policyFor(input: PolicyInput): Policy {
  const { tool, grantName = tool, risk, trust, agent, grants, rule, isCovered } = input
  const setting = agent.approvals[tool] ?? agent.approvals[risk]
  const orgSetting = risk === 'none' ? null : agent.orgApprovals?.[risk]
  if (setting === 'deny' || orgSetting === 'deny') return 'deny'
  if (isCovered === false) return 'ask'
  const isGranted = (scope: Grant['scope']) =>
    grants.some((grant) => grant.tool === grantName && grant.risk === risk && grant.scope === scope)
  if (isGranted('session')) return 'allow'
  if (trust !== 'trusted') return risk === 'none' && setting !== 'ask' && rule !== 'ask' ? 'allow' : 'ask'
  if (isGranted('agent')) return 'allow'
  if (rule === 'ask') return 'ask'
  return orgSetting ?? setting ?? rule ?? (isCovered ? 'allow' : DEFAULTS[risk])
}
