import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import type { Sql } from '../../../../database/database.ts'
import { MAY_HAVE_HAPPENED } from '../../../../tools/tool.ts'
import type { EngineRun } from '../engine/run-row.ts'
import { type CallOutcome, type CallRow, endCall, listOpenCalls } from './call-queries.ts'

/** The result of a call whose effect is not known. */
export const UNKNOWN_OUTPUT = {
  error: `This call was interrupted. ${MAY_HAVE_HAPPENED}`,
}

export const startedEvent = (call: CallRow): RunEvent => ({
  type: 'tool.started',
  data: { n: call.step, ordinal: call.ordinal, callId: call.callId, tool: call.tool },
})

export const finishedEvent = (call: CallRow, { state, output }: CallOutcome): RunEvent => ({
  type: 'tool.finished',
  data: { n: call.step, ordinal: call.ordinal, callId: call.callId, tool: call.tool, state, output },
})

/**
 * Ends the open calls of a run that ends, and cancels its open approvals. A call whose request may have been sent ends as
 * unknown.
 */
export async function endOpenCalls(
  sql: Sql,
  run: EngineRun,
  runStatus: 'succeeded' | 'failed' | 'canceled',
  now: Date,
): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for (const call of await listOpenCalls(sql, run)) {
    const isUnknown = call.state === 'running' && (call.effect === 'once' || call.effect === 'idempotent')
    const outcome: CallOutcome = isUnknown
      ? { state: 'unknown', output: UNKNOWN_OUTPUT }
      : {
          state: 'canceled',
          output: { error: runStatus === 'canceled' ? 'The run was canceled' : 'The run ended' },
        }
    await endCall(sql, run, call, outcome, now)
    events.push(finishedEvent(call, outcome))
  }
  const canceled = await sql<{ id: string }[]>`
    update approvals set decision = 'canceled', decided_at = ${now}
    where org_id = ${run.orgId} and run_id = ${run.id} and decision is null returning id`
  for (const { id } of canceled)
    events.push({
      type: 'approval.decided',
      data: { approvalId: id, decision: 'canceled', decidedBy: null },
    })
  return events
}
