import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import type { Sql } from '../../../../database/database.ts'
import { addJob } from '../../../../jobs/job.ts'
import { fence } from '../../../../language-models/fence.ts'
import { type CallOutcome, endCall } from '../calls/call-queries.ts'
import { finishedEvent, programCallId } from '../calls/end-calls.ts'
import { fitOutput, shortenOutput } from '../calls/output.ts'
import { findResultText } from '../results/queries.ts'
import { parentEnded, workflowEnded } from '../state/jobs.ts'
import { appendWithoutLease } from '../state/lease.ts'
import { resume } from '../state/resume.ts'
import { type EngineRun, lowerTrust, readRunTrust } from '../state/run-row.ts'
import { lockParent } from './tree-queries.ts'

interface End {
  status: 'succeeded' | 'failed' | 'canceled'
  error: string | null
}

/**
 * Runs in the transaction that ends a run. The answer becomes the result of the call that started it, and the calling
 * run continues. A job cancels active children, because a transaction locks a run before its parent.
 */
export async function reportEnd(sql: Sql, run: EngineRun, end: End, now: Date): Promise<void> {
  await sql`
    select ${addJob(sql, parentEnded, { orgId: run.orgId, runId: run.id })} where exists (
      select from runs c
      where c.org_id = ${run.orgId} and c.parent_run_id = ${run.id} and c.status in ('queued', 'running', 'waiting'))`
  if (run.kind === 'workflow')
    await sql`select ${addJob(sql, workflowEnded, { orgId: run.orgId, runId: run.id })}`
  const found = await lockParent(sql, run)
  if (!found) return
  const { parent, call } = found
  if (call) {
    const trust = await readRunTrust(sql, run)
    const outcome = await outcomeOf(sql, run, end, trust !== 'trusted')
    await endCall(sql, parent, call, outcome, now)
    await lowerTrust(sql, parent, trust)
    await appendWithoutLease(sql, parent, [finishedEvent(call, outcome)], now)
  }
  await resume(sql, parent, now)
}

/** The model decides how to continue. */
async function outcomeOf(
  sql: Sql,
  { orgId, id: runId }: EngineRun,
  { status, error }: End,
  isFenced: boolean,
): Promise<CallOutcome> {
  if (status === 'failed')
    return {
      state: 'failed',
      output: { error: `The agent failed: ${error}`, runId },
      errorCode: 'child_failed',
    }
  if (status === 'canceled')
    return {
      state: 'failed',
      output: { error: 'The agent’s run was canceled', runId },
      errorCode: 'child_canceled',
    }
  const text = (await findResultText(sql, orgId, runId)) ?? ''
  const { output, overflow } = fitOutput(text)
  const answer = overflow ? shortenOutput(overflow) : output
  const isData = isFenced && typeof answer === 'string'
  return { state: 'done', output: { runId, answer: isData ? fence(answer, 'the agent') : answer } }
}

/** Shows approvals at all ancestors' calls, so that members decide them in the conversation they read. */
export async function reportApprovals(
  sql: Sql,
  run: EngineRun,
  events: readonly RunEvent[],
  now: Date,
): Promise<void> {
  const approvals = events.filter(({ type }) => type === 'approval.requested' || type === 'approval.decided')
  let child = run
  while (approvals.length > 0 && child.parentStep !== null) {
    const found = await lockParent(sql, child)
    if (!found?.call) return
    const { parent, call } = found
    const { step: n, callId } = call
    // A program's approvals show at the call that runs it.
    const shownAt = {
      n,
      ordinal: call.parent ?? call.ordinal,
      callId: call.parent === null ? callId : programCallId(callId),
    }
    const shown = approvals.map(
      (event): RunEvent =>
        event.type === 'approval.requested' ? { ...event, data: { ...event.data, ...shownAt } } : event,
    )
    await appendWithoutLease(sql, parent, shown, now)
    child = parent
  }
}
