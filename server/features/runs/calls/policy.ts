import type { RunAgent } from '../engine/engine.ts'
import type { Trust } from '../engine/run-row.ts'
import type { Risk } from './call-queries.ts'

export type Policy = 'ask' | 'allow' | 'deny'

/** What a person allowed for good: in the session of the run, or for its agent. */
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

interface Question {
  tool: string
  /** The name under which a person can always allow the call; by default that of the tool. */
  grantName?: string
  risk: Risk
  trust: Trust
  agent: Pick<RunAgent, 'approvals'>
  grants: readonly Grant[]
}

/**
 * Whether a call runs, asks a person, or is denied. Content from outside cannot loosen it: once a run has read some,
 * every risky call asks, whatever the settings of the agent, unless a person allowed the tool in this very session.
 */
export function policyFor({ tool, grantName = tool, risk, trust, agent, grants }: Question): Policy {
  const setting = agent.approvals[tool] ?? agent.approvals[risk]
  if (setting === 'deny') return 'deny'
  const isGranted = (scope: Grant['scope']) =>
    grants.some((grant) => grant.tool === grantName && grant.risk === risk && grant.scope === scope)
  if (isGranted('session')) return 'allow'
  if (trust !== 'trusted') return risk === 'none' && setting !== 'ask' ? 'allow' : 'ask'
  if (isGranted('agent')) return 'allow'
  return setting ?? DEFAULTS[risk]
}
