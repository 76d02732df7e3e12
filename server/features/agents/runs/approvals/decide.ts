import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { publishIn } from '../../../../events/publish.ts'
import type { MessageRow } from '../../conversations/conversations.ts'
import { type CallOutcome, endCall } from '../calls/call-queries.ts'
import { finishedEvent } from '../calls/end-calls.ts'
import { reportApprovals } from '../children/report.ts'
import { resume } from '../children/resume.ts'
import { listAwaitingDecision } from '../children/tree-queries.ts'
import { appendWithoutLease } from '../engine/lease.ts'
import { type EngineRun, lockRun } from '../engine/run-row.ts'
import { type ApprovalRow, type Decision, listOpenApprovals, recordDecision } from './decision-queries.ts'

/**
 * Settles one approval of a locked run, and makes its next step due: the call runs, or its result is the reason for the
 * denial. Every approval ends in one of these two ways, so that no run waits forever.
 */
export async function settleApproval(
  sql: Sql,
  run: EngineRun,
  approval: ApprovalRow,
  decision: Decision,
  now: Date,
): Promise<void> {
  await recordDecision(sql, run.orgId, approval.id, decision, now)
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
    return denied(
      'No person decided within 24 hours, so this call was not made. Do not repeat it unless asked.',
    )
  if (decision === 'superseded')
    return denied('A person sent a message instead of deciding: this call was not made. Read the message.')
  return denied(`A person denied this call${reason}. Do not try it in another way.`)
}

const denied = (error: string): CallOutcome => ({ state: 'denied', output: { error }, errorCode: 'denied' })

/**
 * A new message answers the open questions of a run, and settles its open approvals as denied. The runs below it come
 * first, because a transaction locks a run before its parent.
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
