import { FEEDBACK_STATUS, type FeedbackStatus, QUEUE_COUNT_MAX } from '../../../contract/feedback.ts'
import type { Language } from '../../../contract/languages.ts'
import type { Fragment, Sql } from '../../database/database.ts'
import type { FeedbackRow } from './queries.ts'

/** Covers every organization, so these statements have no tenant. */

export interface QueuedRow extends FeedbackRow {
  orgName: string
  userName: string
  userEmail: string
  userLanguage: Language | null
}

const selectQueued = (sql: Sql, where: Fragment) => sql<QueuedRow[]>`
  select f.org_id as "orgId", f.id, f.user_id as "userId", f.message, f.metadata, f.status, f.task_id as "taskId",
    f.comment_count as "commentCount", f.version, f.created_at as "createdAt", f.updated_at as "updatedAt",
    o.name as "orgName", u.name as "userName", u.email as "userEmail", u.language as "userLanguage"
  from feedback f join organizations o on o.id = f.org_id join users u on u.id = f.user_id
  ${where}`

export const listQueue = (
  sql: Sql,
  status: FeedbackStatus | undefined,
  before: string | null,
  limit: number,
) =>
  // Array plus order by status. Otherwise a generic plan scans the whole queue for a rare status.
  selectQueued(
    sql,
    sql`where ${status ? sql`f.status = any(${[status]}::text[])` : sql`true`}
        and ${before ? sql`f.id < ${before}` : sql`true`}
      order by ${status ? sql`f.status,` : sql``} f.id desc limit ${limit}`,
  )

export async function findQueued(sql: Sql, id: string) {
  const [row] = await selectQueued(sql, sql`where f.id = ${id}`)
  return row ?? null
}

/** Capped, so a long queue doesn't cost a full scan. */
export async function countByStatus(sql: Sql) {
  return sql<{ status: FeedbackStatus; count: number }[]>`
    select status, (
      select count(*) from (select from feedback f where f.status = s.status limit ${QUEUE_COUNT_MAX + 1}) as counted
    ) as count
    from unnest(${Object.keys(FEEDBACK_STATUS)}::text[]) as s (status)`
}

/** Serializes two operators' changes until the transaction ends. */
export async function lockSubmission(sql: Sql, id: string) {
  const [row] = await sql<Pick<FeedbackRow, 'orgId' | 'status' | 'taskId' | 'version'>[]>`
    select org_id as "orgId", status, task_id as "taskId", version from feedback where id = ${id} for update`
  return row ?? null
}

export async function updateStatus(
  sql: Sql,
  orgId: string,
  id: string,
  change: { status: FeedbackStatus; taskId: string | null; now: Date },
): Promise<void> {
  await sql`
    update feedback set status = ${change.status}, task_id = ${change.taskId}, version = version + 1,
      updated_at = ${change.now}
    where org_id = ${orgId} and id = ${id}`
}

export interface ChangeRow {
  id: string
  operatorId: string
  operatorName: string
  fromStatus: FeedbackStatus
  toStatus: FeedbackStatus
  taskId: string | null
  note: string | null
  createdAt: string
}

export async function insertChange(
  sql: Sql,
  orgId: string,
  feedbackId: string,
  change: Omit<ChangeRow, 'operatorName' | 'createdAt'> & { now: Date },
): Promise<void> {
  await sql`
    insert into feedback_changes (org_id, feedback_id, id, operator_id, from_status, to_status, task_id, note, created_at)
    values (${orgId}, ${feedbackId}, ${change.id}, ${change.operatorId}, ${change.fromStatus}, ${change.toStatus},
      ${change.taskId}, ${change.note}, ${change.now})`
}

export async function listChanges(sql: Sql, orgId: string, feedbackId: string) {
  return sql<ChangeRow[]>`
    select c.id, c.operator_id as "operatorId", u.name as "operatorName", c.from_status as "fromStatus",
      c.to_status as "toStatus", c.task_id as "taskId", c.note, c.created_at as "createdAt"
    from feedback_changes c join users u on u.id = c.operator_id
    where c.org_id = ${orgId} and c.feedback_id = ${feedbackId} order by c.id`
}
