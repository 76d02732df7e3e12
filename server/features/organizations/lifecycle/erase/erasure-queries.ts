import type { z } from 'zod'
import type { Erasure } from '../../../../../contract/organizations/erasures.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'

type ErasureRow = z.output<typeof Erasure>

const columns = (sql: Sql): Fragment => sql`
  e.id, e.subject_id as "organizationId", e.name, e.status, e.by_operator as "byOperator",
  case when u.id is null then null else json_build_object('id', u.id, 'name', u.name) end as "requestedBy",
  e.requested_at as "requestedAt", e.erase_after as "eraseAfter", e.canceled_at as "canceledAt",
  e.started_at as "startedAt", e.finished_at as "finishedAt", e.receipt`

const select = (sql: Sql, clauses: Fragment) => sql<ErasureRow[]>`
  select ${columns(sql)} from erasures e left join users u on u.id = e.requested_by ${clauses}`

export async function findOpenErasure(sql: Sql, orgId: string): Promise<ErasureRow | null> {
  const [row] = await select(sql, sql`where e.subject_id = ${orgId} and e.status in ('scheduled', 'running')`)
  return row ?? null
}

export async function findErasure(sql: Sql, orgId: string, id: string): Promise<ErasureRow | null> {
  const [row] = await select(sql, sql`where e.subject_id = ${orgId} and e.id = ${id}`)
  return row ?? null
}

export const listErasures = (sql: Sql, { before, limit }: { before: string | null; limit: number }) =>
  select(sql, sql`where ${before ? sql`e.id < ${before}` : sql`true`} order by e.id desc limit ${limit}`)

interface NewErasure {
  id: string
  name: string
  byOperator: boolean
  requestedBy: string | null
  eraseAfter: Date
  now: Date
}

export const insertErasure = (sql: Sql, orgId: string, erasure: NewErasure) => sql`
  insert into erasures (id, subject_id, name, status, by_operator, requested_by, requested_at, erase_after)
  values (${erasure.id}, ${orgId}, ${erasure.name}, 'scheduled', ${erasure.byOperator}, ${erasure.requestedBy},
    ${erasure.now}, ${erasure.eraseAfter})`

/** Null if no erasure is scheduled, or it has begun. */
export async function updateCanceled(sql: Sql, orgId: string, now: Date): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    update erasures set status = 'canceled', canceled_at = ${now}
    where subject_id = ${orgId} and status = 'scheduled' returning id`
  return row?.id ?? null
}

/** Due erasures can no longer be canceled. Returns running ones without a pending or running job. */
export async function beginDue(sql: Sql, now: Date) {
  await sql`
    update erasures set status = 'running', started_at = ${now} where status = 'scheduled' and erase_after <= ${now}`
  return sql<{ id: string; orgId: string }[]>`
    select e.id, e.subject_id as "orgId" from erasures e
    where e.status = 'running' and e.erase_after <= ${now} and not exists (
      select from graphile_worker._private_jobs j
      where j.payload ->> 'erasureId' = e.id::text and (j.attempts < j.max_attempts or j.locked_at is not null))
    order by e.erase_after`
}

export async function isRunning(sql: Sql, orgId: string, id: string): Promise<boolean> {
  const rows = await sql`
    select from erasures where subject_id = ${orgId} and id = ${id} and status = 'running'`
  return rows.length > 0
}

export async function listRunning(sql: Sql): Promise<string[]> {
  const rows = await sql<
    { orgId: string }[]
  >`select subject_id as "orgId" from erasures where status = 'running'`
  return rows.map(({ orgId }) => orgId)
}

/** Call it in the transaction that deletes the counted rows. */
export const addToReceipt = (sql: Sql, orgId: string, id: string, path: string[], count: number) => sql`
  update erasures set receipt = jsonb_set(receipt, ${path}::text[],
    to_jsonb(coalesce((receipt #>> ${path}::text[])::bigint, 0) + ${count}::bigint))
  where subject_id = ${orgId} and id = ${id}`

/** Keeps the organization's id but not its name, also in canceled erasures. */
export async function updateDone(sql: Sql, orgId: string, id: string, now: Date): Promise<void> {
  await sql`
    update erasures set status = 'done', finished_at = ${now} where subject_id = ${orgId} and id = ${id}`
  await sql`update erasures set name = null where subject_id = ${orgId}`
}
