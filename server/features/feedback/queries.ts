import type { FeedbackStatus } from '../../../contract/feedback.ts'
import type { Fragment, Sql } from '../../database/database.ts'
import {
  type InsertedEvent,
  insertEventCte,
  insertedEventColumns,
  notifyEvent,
} from '../../events/publish.ts'

export interface FeedbackRow {
  orgId: string
  id: string
  userId: string
  message: string
  metadata: Record<string, unknown>
  status: FeedbackStatus
  taskId: string | null
  commentCount: number
  version: number
  createdAt: string
  updatedAt: string
}

const columns = (sql: Sql) => sql`
  f.org_id as "orgId", f.id, f.user_id as "userId", f.message, f.metadata, f.status, f.task_id as "taskId",
  f.comment_count as "commentCount", f.version, f.created_at as "createdAt", f.updated_at as "updatedAt"`

export interface NewFeedback {
  id: string
  message: string
  metadata: Record<string, unknown>
  idempotencyKey: string | null
  now: Date
}

/** One statement. Null if the idempotency key was used before. */
export async function insertSubmission(
  sql: Sql,
  orgId: string,
  userId: string,
  item: NewFeedback,
  job: Fragment,
) {
  const [row] = await sql<(FeedbackRow & InsertedEvent)[]>`
    with f as (
      insert into feedback (org_id, id, user_id, message, metadata, idempotency_key, created_at, updated_at)
      values (${orgId}, ${item.id}, ${userId}, ${item.message}, ${sql.json(item.metadata as never)},
        ${item.idempotencyKey}, ${item.now}, ${item.now})
      on conflict (org_id, user_id, idempotency_key) where idempotency_key is not null do nothing
      returning *
    ), ${insertEventCte(sql, orgId, item.now, { type: 'feedback.created', data: { feedbackId: item.id, status: 'received', by: userId } }, sql`from f`)}
    select ${columns(sql)}, (${job}).id as job, ${insertedEventColumns(sql)} from f`
  if (row) notifyEvent(sql, orgId, row)
  return row ?? null
}

export async function findByIdempotencyKey(sql: Sql, orgId: string, userId: string, key: string) {
  const [row] = await sql<FeedbackRow[]>`
    select ${columns(sql)} from feedback f
    where f.org_id = ${orgId} and f.user_id = ${userId} and f.idempotency_key = ${key}`
  return row ?? null
}

export async function listSubmissions(
  sql: Sql,
  orgId: string,
  userId: string,
  limit: number,
  offset: number,
) {
  return sql<FeedbackRow[]>`
    select ${columns(sql)} from feedback f where f.org_id = ${orgId} and ${isSubmittedBy(sql, userId)}
    order by f.user_id, f.id desc limit ${limit} offset ${offset}`
}

/**
 * Range plus order by user, which only the submitter index provides. With an equality, the planner would scan every
 * organization's queue for a user with most submissions.
 */
const isSubmittedBy = (sql: Sql, userId: string): Fragment => sql`f.user_id between ${userId} and ${userId}`

export async function countSubmissions(
  sql: Sql,
  orgId: string,
  userId: string,
  max: number,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from (
      select from feedback f where f.org_id = ${orgId} and ${isSubmittedBy(sql, userId)}
      order by f.user_id, f.id desc limit ${max}) counted`
  return row!.count
}

export async function findSubmission(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<FeedbackRow[]>`
    select ${columns(sql)} from feedback f where f.org_id = ${orgId} and f.id = ${id}`
  return row ?? null
}

/** Null if the submission is closed or `version` is outdated. */
export async function updateMessage(
  sql: Sql,
  orgId: string,
  userId: string,
  edit: { id: string; message: string; version: string | undefined; now: Date },
) {
  const [row] = await sql<(FeedbackRow & InsertedEvent)[]>`
    with f as (
      update feedback set message = ${edit.message}, version = version + 1, updated_at = ${edit.now}
      where org_id = ${orgId} and user_id = ${userId} and id = ${edit.id} and status = 'open'
        and (${edit.version ?? null}::text is null or version::text = ${edit.version ?? null})
      returning *
    ), ${insertEventCte(sql, orgId, edit.now, { type: 'feedback.updated', data: { feedbackId: edit.id, change: 'edited', by: userId } }, sql`from f`)}
    select ${columns(sql)}, ${insertedEventColumns(sql)} from f`
  if (row) notifyEvent(sql, orgId, row)
  return row ?? null
}

/** For operators: the only lookup without a tenant. */
export async function findAnywhere(sql: Sql, id: string) {
  const [row] = await sql<FeedbackRow[]>`select ${columns(sql)} from feedback f where f.id = ${id}`
  return row ?? null
}
