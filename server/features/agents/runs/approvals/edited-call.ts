import type { Sql } from '../../../../database/database.ts'
import { badField } from '../../../../errors.ts'
import type { Effect, Risk } from '../../../../tools/tool.ts'
import { readSettings } from '../../../organizations/settings/settings.ts'
import { policyFor } from '../calls/policy.ts'
import type { Engine } from '../engine/engine.ts'
import type { EngineRun } from '../engine/run-row.ts'

/** A call as a person approves it. */
export interface ApprovedCall {
  input: unknown
  effect: Effect
  risk: Risk
  /** The name under which it can always be allowed. */
  grantName: string
}

/**
 * The call with the input that the person entered. Effect and risk depend on the input, so they are determined again:
 * an edit must neither evade step-up nor a rule of the agent.
 */
export async function resolveApprovedCall(
  engine: Engine,
  sql: Sql,
  run: EngineRun,
  name: string,
  input: unknown,
): Promise<ApprovedCall> {
  const { approvals: orgApprovals } = await readSettings(sql, run)
  const agent = { ...(await engine.agentOf(sql, run)), orgApprovals, canPay: true, hasNumber: true }
  const tool = engine.toolsOf(run, agent).get(name)
  if (!tool) throw badField('body.decision', 'must be deny: the agent no longer has this tool')
  const parsed = tool.input.safeParse(input)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!
    throw badField(['body.input', ...path].join('.'), message)
  }
  const risk = typeof tool.risk === 'function' ? tool.risk(parsed.data, run) : tool.risk
  const effect = typeof tool.effect === 'function' ? tool.effect(parsed.data) : tool.effect
  const { trust } = run
  const grantName = tool.grantName?.(parsed.data) ?? name
  if (policyFor({ tool: name, grantName, risk, trust, agent, grants: [] }) === 'deny')
    throw badField('body.input', `must not ${risk}: a rule of the agent or the organization denies it`)
  return { input, effect, risk, grantName }
}
