import type { z } from 'zod'
import type { Form } from '../../../../../../contract/canvas/forms.ts'
import type { Caller } from '../../../../../context.ts'
import type { Fragment, Sql } from '../../../../../database/database.ts'
import { memberProjectAccess, projectAccess } from '../../../../projects/access/access.ts'

export type FormView = z.output<typeof Form> & { access: 'view' | 'edit' }

/** For the form `f` in the project `p` with the caller's access `a`. */
const formColumns = (sql: Sql, caller: Caller): Fragment => sql`
  f.id, f.project_id as "projectId", p.name as "projectName", f.run_id as "runId", f.block_id as "blockId", f.title,
  f.content, f.fields, f.state, f.answer, case when f.answered_by is not null then jsonb_build_object('id', f.answered_by,
    'name', (select u.name from users u where u.id = f.answered_by)) end as "answeredBy", f.answered_at as "answeredAt",
  f.expires_at as "expiresAt", f.created_at as "createdAt", f.state = 'open' and ${mayAnswer(sql, caller)} as "canAnswer",
  a.access`

const mayAnswer = (sql: Sql, { userId }: Caller): Fragment => sql`(
  case when f.people = '{}' then a.access = 'edit' else ${userId}::uuid = any(f.people) end)`

/** Projects by their primary key, also without statistics. */
const visible = (sql: Sql, caller: Caller): Fragment => sql`
  form_requests f
  cross join lateral (
    select p.* from projects p
    where p.org_id = ${caller.orgId} and p.id = any(array[f.project_id]) and p.deleted_at is null order by p.id limit 1
  ) p,
    lateral (select ${projectAccess(sql, caller)} as access) a`

export async function findForm(sql: Sql, caller: Caller, id: string): Promise<FormView | null> {
  const [row] = await sql<FormView[]>`
    select ${formColumns(sql, caller)} from ${visible(sql, caller)}
    where f.org_id = ${caller.orgId} and f.id = ${id} and a.access is not null`
  return row ?? null
}

/** Of a run, or those that the caller can answer. */
export const listForms = (
  sql: Sql,
  caller: Caller,
  { runId, before, limit }: { runId: string | undefined; before: string | null; limit: number },
) => sql<FormView[]>`
  select ${formColumns(sql, caller)} from ${visible(sql, caller)}
  where f.org_id = ${caller.orgId} and a.access is not null
    ${runId === undefined ? sql`and f.state = 'open' and ${mayAnswer(sql, caller)}` : sql`and f.run_id = ${runId}`}
    ${before === null ? sql`` : sql`and f.id < ${before}`}
  order by f.id desc limit ${limit}`

export interface NewForm {
  id: string
  projectId: string
  runId: string
  blockId: string
  title: string | null
  content: string | null
  fields: unknown
  people: string[]
  expiresAt: Date
  now: Date
}

export const insertForm = (sql: Sql, orgId: string, form: NewForm) => sql`
  insert into form_requests (org_id, id, project_id, run_id, block_id, title, content, fields, people, expires_at, created_at)
  values (${orgId}, ${form.id}, ${form.projectId}, ${form.runId}, ${form.blockId}, ${form.title}, ${form.content},
    ${sql.json(form.fields as never)}, ${form.people}::uuid[], ${form.expiresAt}, ${form.now})`

export interface AnsweredForm {
  id: string
  state: 'open' | 'answered' | 'closed'
  answer: unknown
  answeredBy: string | null
}

export async function findFormOf(
  sql: Sql,
  orgId: string,
  runId: string,
  blockId: string,
): Promise<AnsweredForm | null> {
  const [row] = await sql<AnsweredForm[]>`
    select id, state, answer, answered_by as "answeredBy" from form_requests
    where org_id = ${orgId} and run_id = ${runId} and block_id = ${blockId} order by id desc limit 1`
  return row ?? null
}

/** Returns false if it is no longer open. */
export async function updateAnswer(
  sql: Sql,
  orgId: string,
  id: string,
  { answer, by, now }: { answer: Record<string, unknown>; by: string; now: Date },
): Promise<boolean> {
  const { count } = await sql`
    update form_requests set state = 'answered', answer = ${sql.json(answer as never)}, answered_by = ${by}, answered_at = ${now}
    where org_id = ${orgId} and id = ${id} and state = 'open' and expires_at > ${now}`
  return count > 0
}

/** Without a block, all of the run. */
export const closeForms = (sql: Sql, orgId: string, runId: string, blockId: string | null) => sql`
  update form_requests set state = 'closed'
  where org_id = ${orgId} and run_id = ${runId} and state = 'open'
    ${blockId === null ? sql`` : sql`and block_id = ${blockId}`}`

export const listFormPeople = (sql: Sql, orgId: string, id: string) => sql<
  { userId: string; email: string; isVerified: boolean }[]
>`
  select u.id as "userId", u.email, u.email_verified_at is not null as "isVerified"
  from form_requests f
  join projects p on p.org_id = f.org_id and p.id = f.project_id and p.deleted_at is null
  join runs r on r.org_id = f.org_id and r.id = f.run_id
  join memberships m on m.org_id = f.org_id
    and case when f.people = '{}' then m.user_id = r.created_by else m.user_id = any(f.people) end
  join users u on u.id = m.user_id,
    lateral (select ${memberProjectAccess(sql, sql`m.user_id`, sql`m.role`)} as access) a
  where f.org_id = ${orgId} and f.id = ${id} and f.state = 'open' and a.access is not null
  order by u.id`

export async function findFormTitle(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<{ projectId: string; projectName: string; title: string | null }[]>`
    select f.project_id as "projectId", p.name as "projectName", f.title from form_requests f
    join projects p on p.org_id = f.org_id and p.id = f.project_id
    where f.org_id = ${orgId} and f.id = ${id} and f.state = 'open'`
  return row ?? null
}

/** For a purged project. Returns how many. */
export async function deleteProjectForms(sql: Sql, orgId: string, projectId: string): Promise<number> {
  const { count } = await sql`delete from form_requests where org_id = ${orgId} and project_id = ${projectId}`
  return count
}
