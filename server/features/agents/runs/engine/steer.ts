import type { Context } from '../../../../context.ts'
import { appendWithoutLease, notifyRun, wakeWorkers } from '../state/lease.ts'
import { callerKeyId } from '../state/run-caller.ts'
import { lockRun, lowerTrust } from '../state/run-row.ts'
import { steerAttempt, textOfAttempt } from '../state/step-queries.ts'
import { interruptedEvent, storePartialText } from './attempts.ts'

/**
 * The run may have another starter. A message with the same user's key moves a run without a key to that key's
 * permissions. With any other caller, the run keeps its permissions but is no longer trusted, so that risky calls
 * require approval.
 */
export async function joinRun({ sql, caller }: Context, orgId: string, runId: string): Promise<void> {
  const run = await lockRun(sql, orgId, runId)
  if (!run) return
  const keyId = callerKeyId(caller)
  if (run.createdBy === caller.userId && (keyId === null || keyId === run.keyId)) return
  if (run.createdBy === caller.userId && run.keyId === null)
    await sql`update runs set key_id = ${keyId} where org_id = ${orgId} and id = ${runId}`
  else await lowerTrust(sql, run, 'verified')
}

/**
 * Lets a message join immediately: the worker's next write fails with `LeaseLost`, and the run is due again. Text
 * already shown stays. Tool calls aren't interrupted, because their effect would be unknown.
 */
export async function interruptStep(ctx: Context, orgId: string, runId: string): Promise<void> {
  const { sql } = ctx
  const run = await lockRun(sql, orgId, runId)
  if (run?.status !== 'running') return
  const step = await steerAttempt(sql, run)
  if (!step) return
  const now = ctx.now()
  const messageEvents = await storePartialText(sql, run, step, await textOfAttempt(sql, run, step), now)
  await appendWithoutLease(sql, run, [...messageEvents, interruptedEvent(step.kind, step)], now)
  await sql`update runs set lease = lease + 1, due_at = ${now} where org_id = ${orgId} and id = ${runId}`
  notifyRun(sql, run)
  wakeWorkers(sql)
}
