import type { Sql } from '../../../../database/database.ts'
import { publishIn } from '../../../../events/publish.ts'
import { addJob } from '../../../../jobs/job.ts'
import {
  approvalsRequested,
  blockRunChanged,
  callRunEnded,
  longRunEnded,
  providerRunEnded,
  titleSession,
} from './jobs.ts'
import type { LeasedRun } from './lease.ts'
import type { EngineRun, RunStatus } from './run-row.ts'

export const RUN_EVENTS = {
  queued: 'agent.run.queued',
  running: 'agent.run.started',
  waiting: 'agent.run.waiting',
  succeeded: 'agent.run.completed',
  failed: 'agent.run.failed',
  canceled: 'agent.run.canceled',
} as const

const MINUTE_MS = 60_000
/** A shorter run's starter has probably waited, and isn't notified. */
const LONG_RUN_MS = 5 * MINUTE_MS

/** In the transaction that changes the status. */
export async function publishRunEvent(sql: Sql, run: EngineRun, status: RunStatus, now: Date): Promise<void> {
  // The transaction that starts a block's run also writes the block.
  if (status !== 'queued') await notifyBlock(sql, run)
  await publishIn(sql, run.orgId, now, {
    type: RUN_EVENTS[status],
    data: {
      projectId: run.projectId,
      runId: run.id,
      sessionId: run.sessionId,
      agentId: run.agentId,
      by: run.createdBy,
      status,
    },
  })
}

export async function notifyRestoredBlocks(
  sql: Sql,
  orgId: string,
  projectId: string,
  blockIds: string[],
): Promise<void> {
  if (blockIds.length === 0) return
  const runs = await sql<{ id: string }[]>`
    select r.id from unnest(${blockIds}::uuid[]) as b (id) cross join lateral (
      select id from runs
      where org_id = ${orgId} and project_id = ${projectId} and block_id = b.id order by id desc limit 1
    ) r`
  for (const { id } of runs) await sql`select ${addJob(sql, blockRunChanged, { orgId, runId: id })}`
}

export async function notifyBlock(sql: Sql, { orgId, id, blockId }: EngineRun): Promise<void> {
  if (blockId !== null) await sql`select ${addJob(sql, blockRunChanged, { orgId, runId: id })}`
}

/** One per run and minute, at its end, so that approvals decided by then cause none. */
export async function notifyOfApprovals(sql: Sql, { orgId, id }: LeasedRun, now: Date): Promise<void> {
  const minute = Math.floor(now.getTime() / MINUTE_MS)
  const runAt = new Date((minute + 1) * MINUTE_MS)
  await sql`select ${addJob(sql, approvalsRequested, { orgId, runId: id, minute }, { runAt })}`
}

/**
 * Covers long runs and failed scheduled runs, but no child runs. Also starts what follows: an answer to a provider or
 * call, and a title.
 */
export async function notifyOfEnd(
  sql: Sql,
  { orgId, id }: LeasedRun,
  // The row's update is sent in the same round trip.
  status: RunStatus,
  now: Date,
): Promise<void> {
  const startedBefore = new Date(now.getTime() - LONG_RUN_MS)
  await sql`
    select ${addJob(sql, longRunEnded, { orgId, runId: id })} from runs
    where org_id = ${orgId} and id = ${id} and parent_run_id is null
      and (started_at < ${startedBefore} or (${status === 'failed'} and schedule_id is not null))
    union all
    select ${addJob(sql, providerRunEnded, { orgId, runId: id })} from runs r
    join agent_sessions s on s.org_id = r.org_id and s.id = r.session_id and s.origin = 'provider'
    where r.org_id = ${orgId} and r.id = ${id}
    union all
    select ${addJob(sql, callRunEnded, { orgId, runId: id })} from runs r
    join agent_sessions s on s.org_id = r.org_id and s.id = r.session_id and s.origin = 'call'
    where r.org_id = ${orgId} and r.id = ${id}
    union all
    select ${addJob(sql, titleSession, { orgId, runId: id })} from runs r
    join agent_sessions s on s.org_id = r.org_id and s.id = r.session_id and s.title_is_provisional and s.origin = 'chat'
    where r.org_id = ${orgId} and r.id = ${id} and ${status === 'succeeded'} and r.trigger = 'message'
      and r.parent_run_id is null and r.model not like 'test/%'`
}
