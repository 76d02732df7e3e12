import type { Sql } from '../../../database/database.ts'
import type { ScheduleRow } from './records.ts'

/** A schedule that is due, leased by one worker. */
export interface DueSchedule {
  orgId: string
  id: string
  lease: number
}

/** Longer than the start of a run takes. */
const LEASE_MS = 60_000

interface Claim {
  suspended: readonly string[]
  limit: number
  now: Date
}

/** Claims schedules that are due; no other process claims them until the lease expires. */
export const claimSchedules = (sql: Sql, { suspended, limit, now }: Claim) => sql<DueSchedule[]>`
  with due as (
    select org_id, id from schedules where due_at <= ${now} and org_id <> all(${suspended as string[]}::uuid[])
    order by due_at limit ${limit} for update skip locked
  )
  update schedules s set lease = s.lease + 1, due_at = ${new Date(now.getTime() + LEASE_MS)}
  from due where s.org_id = due.org_id and s.id = due.id
  returning s.org_id as "orgId", s.id, s.lease`

export interface Outcome {
  outcome: 'started' | 'skipped' | 'failed'
  error?: string
  runId?: string
}

/** Records the outcome of a run that was due, and plans the next run; missed times in between are skipped. */
export const recordOutcome = (
  sql: Sql,
  { orgId, id }: Pick<ScheduleRow, 'orgId' | 'id'>,
  { outcome, error, runId }: Outcome,
  next: Date | null,
  now: Date,
) => sql`
  update schedules set last_outcome = ${outcome}, last_error = ${error ?? null},
    last_run_at = case when ${outcome} = 'started' then ${now}::timestamptz else last_run_at end,
    last_run_id = coalesce(${runId ?? null}::uuid, last_run_id), next_run_at = ${next}, due_at = ${next}
  where org_id = ${orgId} and id = ${id}`

/** Records a run that a person started: the time of the next run stays. */
export const recordManualRun = (sql: Sql, orgId: string, id: string, runId: string, now: Date) => sql`
  update schedules set last_outcome = 'started', last_error = null, last_run_at = ${now}, last_run_id = ${runId}
  where org_id = ${orgId} and id = ${id}`

/** Pauses a schedule until a member resumes it. */
export const updatePaused = (sql: Sql, orgId: string, id: string, reason: string, now: Date) => sql`
  update schedules set paused_reason = ${reason}, paused_at = ${now}, next_run_at = null, due_at = null
  where org_id = ${orgId} and id = ${id}`

/** Whether a run, such as the last one of a schedule, has not ended. */
export async function isRunActive(sql: Sql, orgId: string, runId: string | null): Promise<boolean> {
  const [row] = await sql`
    select from runs where org_id = ${orgId} and id = ${runId} and status in ('queued', 'running', 'waiting')`
  return row !== undefined
}

/**
 * The people who are notified of a paused schedule: its owner, or the owners of the organization if that member has
 * left.
 */
export const listRecipients = (sql: Sql, orgId: string, ownerId: string) => sql<
  { userId: string; email: string; isVerified: boolean }[]
>`
  select u.id as "userId", u.email, u.email_verified_at is not null as "isVerified" from memberships m join users u on u.id = m.user_id
  where m.org_id = ${orgId} and (m.user_id = ${ownerId} or (
    m.role = 'owner' and not exists (
      select from memberships own where own.org_id = ${orgId} and own.user_id = ${ownerId})))`
