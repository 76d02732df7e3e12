import type { Context } from '../../../context.ts'
import { interruptedEvent, keepText } from './attempts.ts'
import { announce, appendUnheld, wakeWorkers } from './lease.ts'
import { keyIdOf } from './run-caller.ts'
import { lockRun } from './run-row.ts'
import { steerAttempt, textOfAttempt } from './step-queries.ts'
import { lowerTrust } from './trust.ts'

/**
 * A message joins a run that another person or key may have started, and that continues with their rights: with a key of the
 * same person it continues with the rights of that key, and otherwise it is no longer trusted, so that it asks before it
 * acts.
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
 * Ends the model call of a run, so that a message joins it immediately: the worker loses its lease with its next write, and the
 * run is due again. The text that people saw stays in the conversation. Calls that run end first, because their effect
 * would be unknown.
 */
export async function interruptStep(ctx: Context, orgId: string, runId: string): Promise<void> {
  const { sql } = ctx
  const run = await lockRun(sql, orgId, runId)
  if (run?.status !== 'running') return
  const step = await steerAttempt(sql, run)
  if (!step) return
  const now = ctx.now()
  const kept = await keepText(sql, run, step, await textOfAttempt(sql, run, step), now)
  await appendUnheld(sql, run, [...kept, interruptedEvent(step.kind, step)], now)
  await sql`update runs set lease = lease + 1, due_at = ${now} where org_id = ${orgId} and id = ${runId}`
  announce(sql, run)
  wakeWorkers(sql)
}
