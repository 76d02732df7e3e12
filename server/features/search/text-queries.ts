import { SEARCH_LIMITS } from '../../../contract/search/search-options.ts'
import type { Sql } from '../../database/database.ts'
import type { OrganizationClaim } from '../../jobs/organization-loop.ts'

/** A file whose text is not indexed yet. */
export interface DueText {
  orgId: string
  id: string
  /** The object with the text. */
  objectKey: string
}

/** A file that ends the process that reads it is not read a fourth time. */
const ATTEMPTS_MAX = 3

/** Claims files whose text is due, in turns between organizations. */
export const claimTexts = (
  sql: Sql,
  { running, perOrganization, limit, now, leasedUntil }: OrganizationClaim,
) => sql<DueText[]>`
  with recursive busy as (
    select * from jsonb_to_recordset(${sql.json(running as never)}) as b ("orgId" uuid, count int)
  ), orgs as (
    (select org_id from search_entries where text_due_at is not null order by org_id limit 1)
    union all
    select (
      select e.org_id from search_entries e where e.text_due_at is not null and e.org_id > o.org_id order by e.org_id limit 1)
    from orgs o where o.org_id is not null
  ), due as (
    select d.*, row_number() over (partition by d.org_id order by d.text_due_at) as turn
    from orgs o left join busy b on b."orgId" = o.org_id
    cross join lateral (
      select e.org_id, e.id, e.text_due_at from search_entries e
      where e.org_id = o.org_id and e.text_due_at <= ${now}
      order by e.text_due_at limit greatest(0, ${perOrganization}::int - coalesce(b.count, 0)) for update skip locked
    ) d
    where o.org_id is not null
  ), chosen as (
    select * from due order by turn, text_due_at limit ${limit}
  )
  update search_entries e set text_attempts = e.text_attempts + 1,
    text_due_at = case when e.text_attempts + 1 < ${ATTEMPTS_MAX} then ${leasedUntil}::timestamptz end
  from chosen c where e.org_id = c.org_id and e.id = c.id and e.type = 'file' and e.scope_id = c.org_id
  returning e.org_id as "orgId", e.id, e.text_key as "objectKey"`

/** Stores the text of a file, unless the file has a newer object; the text is empty if the file has none. */
export const saveText = (sql: Sql, orgId: string, { id, objectKey }: DueText, text: string) => sql`
  update search_entries e set body = t.body, tsv = search_vector(e.title, t.body, e.space_id, e.type), text_due_at = null
  from (values (left(${text}, ${SEARCH_LIMITS.text}))) t (body)
  where e.org_id = ${orgId} and e.id = ${id} and e.type = 'file' and e.scope_id = ${orgId} and e.text_key = ${objectKey}`
