import type { Caller, Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { notify } from '../../../database/transaction.ts'
import { notFound, viewOnly } from '../../../errors.ts'
import { claimFairly, type OrganizationClaim, type Queue } from '../../../jobs/claim-fairly.ts'
import { isProjectVisible, projectAccess } from '../../projects/access/access.ts'
import { selectObstacle } from './obstacles.ts'
import { columns, type ScheduleRow, type ScheduleView } from './records.ts'

/** For the schedule `s` in the project `p`. */
const viewColumns = (sql: Sql): Fragment => sql`
  ${columns(sql)}, p.name as "projectName", (
    select g.name from agents g where g.org_id = s.org_id and g.id = s.agent_id) as "agentName",
  (select u.name from users u where u.id = s.owner_id) as "ownerName",
  (select r.status from runs r where r.org_id = s.org_id and r.id = s.last_run_id) as "lastStatus",
  (select ${selectObstacle(sql)}) as obstacle`

/** Throws NOT_FOUND unless the caller sees the project and, with `edit`, FORBIDDEN if the caller can only view it. */
export async function findSchedule(
  { sql, caller }: Context,
  id: string,
  to: 'view' | 'edit' = 'view',
): Promise<ScheduleView> {
  const [row] = await sql<ScheduleView[]>`
    select ${viewColumns(sql)}, a.access from schedules s
    join projects p on p.org_id = s.org_id and p.id = s.project_id and p.deleted_at is null,
      lateral (select ${projectAccess(sql, caller)} as access) a
    where s.org_id = ${caller.orgId} and s.id = ${id} and a.access is not null`
  if (!row) throw notFound('Schedule')
  if (to === 'edit' && row.access !== 'edit') throw viewOnly()
  return row
}

export interface ScheduleFilter {
  projectId?: string
  agentId?: string
}

/** Newest first. */
export const listSchedules = (
  sql: Sql,
  caller: Caller,
  { projectId, agentId }: ScheduleFilter,
  { before, limit }: { before: string | null; limit: number },
) => sql<ScheduleView[]>`
  select ${viewColumns(sql)}, ${projectAccess(sql, caller)} as access from schedules s
  join projects p on p.org_id = s.org_id and p.id = s.project_id
  where s.org_id = ${caller.orgId} and ${isProjectVisible(sql, caller, sql`s.project_id`)}
    ${projectId ? sql`and s.project_id = ${projectId}` : sql``}
    ${agentId ? sql`and s.agent_id = ${agentId}` : sql``}
    ${before ? sql`and s.id < ${before}` : sql``}
  order by s.id desc limit ${limit}`

export async function lockSchedule(sql: Sql, orgId: string, id: string): Promise<ScheduleRow | null> {
  const [row] = await sql<ScheduleRow[]>`
    select ${columns(sql)} from schedules s where s.org_id = ${orgId} and s.id = ${id} for update`
  return row ?? null
}

export type NewSchedule = Pick<
  ScheduleRow,
  'id' | 'name' | 'projectId' | 'agentId' | 'message' | 'blockId' | 'cron' | 'timeZone' | 'enabled' | 'keyId'
> & { ownerId: string; nextRunAt: Date | null; now: Date }

export const insertSchedule = (sql: Sql, orgId: string, schedule: NewSchedule) => sql`
  insert into schedules (org_id, id, name, project_id, agent_id, message, block_id, cron, time_zone, enabled, next_run_at,
    due_at, owner_id, key_id, created_by, created_at, updated_at)
  values (${orgId}, ${schedule.id}, ${schedule.name}, ${schedule.projectId}, ${schedule.agentId}, ${schedule.message},
    ${schedule.blockId}, ${schedule.cron}, ${schedule.timeZone}, ${schedule.enabled}, ${schedule.nextRunAt},
    ${schedule.nextRunAt}, ${schedule.ownerId}, ${schedule.keyId}, ${schedule.ownerId}, ${schedule.now}, ${schedule.now})`

/** Ends a worker's claim: the action may have changed. */
export const updateSchedule = (
  sql: Sql,
  orgId: string,
  {
    id,
    name,
    agentId,
    message,
    blockId,
    cron,
    timeZone,
    enabled,
    ownerId,
    keyId,
    pausedReason,
    ...row
  }: Omit<ScheduleRow, 'nextRunAt'> & { nextRunAt: Date | null },
  now: Date,
) => sql`
  update schedules set name = ${name}, agent_id = ${agentId}, message = ${message}, block_id = ${blockId}, cron = ${cron},
    time_zone = ${timeZone}, enabled = ${enabled}, owner_id = ${ownerId}, key_id = ${keyId},
    paused_reason = ${pausedReason}, paused_at = ${row.pausedAt}, next_run_at = ${row.nextRunAt},
    due_at = ${row.nextRunAt}, lease = lease + 1, updated_at = ${now}
  where org_id = ${orgId} and id = ${id}`

export async function deleteProjectSchedules(sql: Sql, orgId: string, projectId: string): Promise<number> {
  const { count } = await sql`delete from schedules where org_id = ${orgId} and project_id = ${projectId}`
  return count
}

export const deleteSchedule = (sql: Sql, orgId: string, id: string) => sql`
  delete from schedules where org_id = ${orgId} and id = ${id}`

export interface DueSchedule {
  orgId: string
  id: string
  lease: number
}

export const SCHEDULES_CHANNEL = 'atrium_schedules'

/** Workers don't poll while there is no schedule. */
export const wakeWorkers = (sql: Sql): void => notify(sql, SCHEDULES_CHANNEL)

export const SCHEDULES_QUEUE: Queue = { table: 'schedules', key: ['id'], indexedBy: 'due' }

export const claimSchedules = (sql: Sql, claim: OrganizationClaim) =>
  claimFairly<DueSchedule>(sql, SCHEDULES_QUEUE, claim, {
    lease: sql`lease = t.lease + 1, due_at = ${claim.leasedUntil}`,
    returning: sql`t.org_id as "orgId", t.id, t.lease`,
  })

export interface Outcome {
  outcome: 'started' | 'skipped' | 'failed'
  error?: string
  runId?: string
}

/** Skips missed times. */
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

/** The next planned run stays. */
export const recordManualRun = (sql: Sql, orgId: string, id: string, runId: string, now: Date) => sql`
  update schedules set last_outcome = 'started', last_error = null, last_run_at = ${now}, last_run_id = ${runId}
  where org_id = ${orgId} and id = ${id}`

export const updatePaused = (sql: Sql, orgId: string, id: string, reason: string, now: Date) => sql`
  update schedules set paused_reason = ${reason}, paused_at = ${now}, next_run_at = null, due_at = null
  where org_id = ${orgId} and id = ${id}`

export async function isRunActive(sql: Sql, orgId: string, runId: string | null): Promise<boolean> {
  const [row] = await sql`
    select from runs where org_id = ${orgId} and id = ${runId} and status in ('queued', 'running', 'waiting')`
  return row !== undefined
}

/** Falls back to the organization's owners if the member has left. */
export const listRecipients = (sql: Sql, orgId: string, ownerId: string) => sql<
  { userId: string; email: string; isVerified: boolean }[]
>`
  select u.id as "userId", u.email, u.email_verified_at is not null as "isVerified" from memberships m join users u on u.id = m.user_id
  where m.org_id = ${orgId} and (m.user_id = ${ownerId} or (
    m.role = 'owner' and not exists (
      select from memberships own where own.org_id = ${orgId} and own.user_id = ${ownerId})))`
