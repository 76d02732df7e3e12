import type { Risk, Trust } from '../../../../tools/tool.ts'
import type { RunAgent } from '../state/prompt.ts'

export type Policy = 'ask' | 'allow' | 'deny'

/** A tool that a person always allows: in the session of the run, or for its agent. */
export interface Grant {
  tool: string
  /** The risk of the call that the person saw: a tool may both edit and delete. */
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
  /** The name under which a person can always allow the call; by default that of the tool. */
  grantName?: string
  risk: Risk
  trust: Trust
  agent: Pick<RunAgent, 'approvals' | 'orgApprovals'>
  grants: readonly Grant[]
  /** The rule of an admin for the tool. */
  rule?: 'ask' | 'allow' | undefined
  /** Whether a limit that a person set beforehand, such as a mandate, covers the call; absent if the tool has none. */
  isCovered?: boolean | undefined
}

/**
 * Decides whether a call runs, requires an approval, or is denied. Once a run has read content from outside, every
 * risky call requires an approval, regardless of the settings of the agent, unless a person allowed the tool in the
 * same session. The organization can be stricter than the agent; no person can allow a call that the organization
 * denies. A call over its limit always requires an approval.
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
