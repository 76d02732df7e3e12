import type { Context } from '../../../../context.ts'
import { appendWithoutLease, notifyRun, wakeWorkers } from '../state/lease.ts'
import { keyIdOf } from '../state/run-caller.ts'
import { lockRun, lowerTrust } from '../state/run-row.ts'
import { steerAttempt, textOfAttempt } from '../state/step-queries.ts'
import { interruptedEvent, storePartialText } from './attempts.ts'

/**
 * Adds the sender of a message to a run that another person or key may have started. After a message with a key of the
 * same person, the run continues with the rights of the key. After a message of any other caller, it keeps its rights
 * but is no longer trusted, so that risky calls require an approval.
 */
export async function joinRun({ sql, caller }: Context, orgId: string, runId: string): Promise<void> {
  const run = await lockRun(sql, orgId, runId)
  if (!run) return
  const keyId = keyIdOf(caller)
  if (run.createdBy === caller.userId && (keyId === null || keyId === run.keyId)) return
  if (run.createdBy === caller.userId && run.keyId === null)
    await sql`update runs set key_id = ${keyId} where org_id = ${orgId} and id = ${runId}`
  else await lowerTrust(sql, run, 'verified')
}

/**
 * Ends the model call of a run, so that a message joins the run immediately: the next write of the worker fails with
 * `LeaseLost`, and the run is due again. The text that people saw stays in the conversation. Tool calls are not
 * interrupted, because their effect would be unknown.
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
