import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { publishIn } from '../../../../events/publish.ts'
import type { Effect, Risk } from '../../../../tools/tool.ts'
import type { MessageRow } from '../../conversations/conversations.ts'
import { type CallOutcome, type CallRow, endCall } from '../calls/call-queries.ts'
import { finishedEvent } from '../calls/end-calls.ts'
import { markDecidedNoticesRead } from '../calls/notices.ts'
import { reportApprovals } from '../children/report.ts'
import { listAwaitingDecision } from '../children/tree-queries.ts'
import { appendWithoutLease } from '../state/lease.ts'
import { resume } from '../state/resume.ts'
import { type EngineRun, lockRun } from '../state/run-row.ts'

/**
 * Settles one approval and makes the run's next step due: the call runs, or its result is the denial's reason. Every
 * approval ends in one of these ways, so that no run waits forever. The run must be locked.
 *
 * `calls/policy.ts` decides that a call has to ask, `calls/approval-queries.ts` stores the approval while the run
 * waits, and `api/approvals.ts` checks who may decide. A new message (`decideByMessage`) or 24 hours without a decision
 * (`engine/sweep.ts`) settle it too.
 */
export async function settleApproval(
  sql: Sql,
  run: EngineRun,
  approval: ApprovalRow,
  decision: Decision,
  now: Date,
): Promise<void> {
  await recordDecision(sql, run.orgId, approval.id, decision, now)
  await markDecidedNoticesRead(sql, run, now)
  const { step, ordinal } = approval
  const { call } = decision
  const outcome = outcomeOf(decision)
  if (outcome) await endCall(sql, run, { step, ordinal }, outcome, now)
  else
    await sql`
      update run_calls set state = 'pending', input = ${sql.json((call?.input ?? approval.input) as never)},
        effect = ${call?.effect ?? approval.call.effect}, risk = ${call?.risk ?? approval.call.risk}
      where org_id = ${run.orgId} and run_id = ${run.id} and step = ${step} and ordinal = ${ordinal} and state = 'approval'`
  const decided: RunEvent = {
    type: 'approval.decided',
    data: { approvalId: approval.id, decision: decision.decision, decidedBy: decision.by },
  }
  const finished = outcome ? [finishedEvent(approval.call, outcome)] : []
  await appendWithoutLease(sql, run, [decided, ...finished], now)
  await reportApprovals(sql, run, [decided], now)
  await publishDecision(sql, run, approval.id, decision, now)
  await resume(sql, run, now)
}

const publishDecision = (
  sql: Sql,
  { orgId, id, projectId }: EngineRun,
  approvalId: string,
  { decision, by }: Decision,
  now: Date,
) =>
  publishIn(sql, orgId, now, {
    type: 'agent.approval.decided',
    data: { approvalId, runId: id, projectId, decision, by },
  })

function outcomeOf({ decision, note, answer }: Decision): CallOutcome | null {
  const reason = note ? `: ${note}` : ''
  if (decision === 'answered') return { state: 'done', output: { answer } }
  if (decision === 'approved') return null
  if (decision === 'expired')
    return denied('Nobody decided within 24 hours, so this call was not made. Do not repeat it unless asked.')
  if (decision === 'superseded')
    return denied('A message arrived instead of a decision, so this call was not made. Read the message.')
  return denied(`A member denied this call${reason}. Do not try it in another way.`)
}

const denied = (error: string): CallOutcome => ({ state: 'denied', output: { error }, errorCode: 'denied' })

/**
 * Answers open questions and denies open approvals. Descendants come first, because a transaction locks a run before
 * its parent.
 */
export async function decideByMessage(
  ctx: Context,
  orgId: string,
  runId: string,
  message: MessageRow,
): Promise<void> {
  for (const id of [...(await listAwaitingDecision(ctx.sql, orgId, runId)), runId])
    await decideApprovals(ctx, orgId, id, message)
}

async function decideApprovals(
  ctx: Context,
  orgId: string,
  runId: string,
  message: MessageRow,
): Promise<void> {
  const run = await lockRun(ctx.sql, orgId, runId)
  if (!run) return
  const now = ctx.now()
  for (const approval of await listOpenApprovals(ctx.sql, run)) {
    const by = ctx.caller.userId
    const decision: Decision =
      approval.kind === 'input'
        ? { decision: 'answered', by, note: null, answer: message.body }
        : { decision: 'superseded', by, note: null }
    await settleApproval(ctx.sql, run, approval, decision, now)
  }
}

export interface ApprovedCall {
  input: unknown
  effect: Effect
  risk: Risk
  /** The name for "always allow". */
  grantName: string
}

export interface Decision {
  decision: 'approved' | 'denied' | 'answered' | 'expired' | 'superseded'
  by: string | null
  note: string | null
  input?: unknown
  call?: ApprovedCall
  answer?: string
}

interface ApprovalRow {
  id: string
  runId: string
  step: number
  ordinal: number
  kind: 'approval' | 'input'
  tool: string
  risk: string
  input: unknown
  call: CallRow
}

const callOf = (sql: Sql) => sql`
  jsonb_build_object('step', c.step, 'ordinal', c.ordinal, 'callId', c.call_id, 'tool', c.tool, 'input', c.input,
    'effect', c.effect, 'risk', c.risk, 'state', c.state, 'parent', c.parent) as call`

export const listOpenApprovals = (sql: Sql, { orgId, id }: Pick<EngineRun, 'orgId' | 'id'>) => sql<
  ApprovalRow[]
>`
  select a.id, a.run_id as "runId", a.step, a.ordinal, a.kind, a.tool, a.risk, a.input, ${callOf(sql)}
  from approvals a
  join run_calls c on c.org_id = a.org_id and c.run_id = a.run_id and c.step = a.step and c.ordinal = a.ordinal
  where a.org_id = ${orgId} and a.run_id = ${id} and a.decision is null order by a.step, a.ordinal`

const recordDecision = (
  sql: Sql,
  orgId: string,
  id: string,
  { decision, by, note, input }: Decision,
  now: Date,
) => sql`
  update approvals set decision = ${decision}, decided_by = ${by}, decided_at = ${now}, note = ${note},
    edited_input = ${input === undefined ? null : sql.json(input as never)}
  where org_id = ${orgId} and id = ${id} and decision is null`
