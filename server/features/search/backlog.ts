import { SEARCH_LIMITS, type SearchType } from '../../../contract/search/search-options.ts'
import type { Sql } from '../../database/database.ts'
import type { WorkerRuntime } from '../../feature.ts'
import { type OrganizationClaim, startOrganizationLoop } from '../../jobs/organization-loop.ts'

const CHANNEL = 'atrium_search'
const CONCURRENCY_MAX = 2
const LEASE_MS = 60_000

/** Indexes records that are older than the search, one batch per organization at a time. A crash repeats one batch. */
export const startBacklogWorker = (runtime: WorkerRuntime) =>
  startOrganizationLoop<Backlog>(runtime, {
    name: 'search backlogs',
    channel: CHANNEL,
    concurrency: CONCURRENCY_MAX,
    perOrganization: 1,
    leaseMs: LEASE_MS,
    whileSuspended: true,
    claim: (request) => claimBacklogs(runtime.pool, request),
    run: async (backlog) => {
      const { now, transaction } = runtime.context()
      await transaction(async ({ sql }) => {
        const { orgId, folderId } = backlog
        const last =
          folderId === orgId ? await fillType(sql, orgId, backlog) : await moveFiles(sql, orgId, backlog)
        if (last) await updatePosition(sql, orgId, backlog, last, now())
        else await deleteBacklog(sql, orgId, backlog)
      })
    },
  })

/** Records of an organization that the index does not contain yet: the records of a type, or the files of a folder. */
interface Backlog {
  orgId: string
  type: Exclude<SearchType, 'event'>
  folderId: string
  afterScope: string
  afterId: string
  version: number
}

const BATCH = 500

/** Claims backlogs, in turns between organizations. */
export const claimBacklogs = (
  sql: Sql,
  { running, perOrganization, limit, now, leasedUntil }: OrganizationClaim,
) => sql<Backlog[]>`
  with recursive busy as (
    select * from jsonb_to_recordset(${sql.json(running as never)}) as b ("orgId" uuid, count int)
  ), orgs as (
    (select org_id from search_backlog order by org_id limit 1)
    union all
    select (select l.org_id from search_backlog l where l.org_id > o.org_id order by l.org_id limit 1)
    from orgs o where o.org_id is not null
  ), due as (
    select d.*, row_number() over (partition by d.org_id order by d.due_at) as turn
    from orgs o left join busy b on b."orgId" = o.org_id
    cross join lateral (
      select l.org_id, l.type, l.folder_id, l.due_at from search_backlog l
      where l.org_id = o.org_id and l.due_at <= ${now}
      order by l.due_at limit greatest(0, ${perOrganization}::int - coalesce(b.count, 0)) for update skip locked
    ) d
    where o.org_id is not null
  ), chosen as (
    select * from due order by turn, due_at limit ${limit}
  )
  update search_backlog l set due_at = ${leasedUntil} from chosen c
  where l.org_id = c.org_id and l.type = c.type and l.folder_id = c.folder_id
  returning l.org_id as "orgId", l.type, l.folder_id as "folderId", l.after_scope as "afterScope",
    l.after_id as "afterId", l.version`

/** Indexes the next rows of a type, and returns the last of them; null if there are none. */
async function fillType(sql: Sql, orgId: string, { type, afterScope, afterId }: Backlog) {
  const [row] = await sql<{ scope: string; id: string }[]>`
    select * from ${sql(`search_fill_${type}`)}(${orgId}, ${afterScope}, ${afterId}, ${BATCH})`
  return row ?? null
}

/** Corrects the space of the next files of a folder, and returns the last of them. */
async function moveFiles(sql: Sql, orgId: string, { folderId, afterId }: Backlog) {
  const [row] = await sql<{ scope: string; id: string }[]>`
    with page as materialized (
      select f.id, s.project_id from files f join folders s on s.org_id = f.org_id and s.id = ${folderId}
      where f.org_id = ${orgId} and (f.parent_id = ${folderId} and f.source <> 'folder' or f.id = ${folderId})
        and f.id > ${afterId}
      order by f.id limit ${BATCH}
    ), moved as (
      update search_entries e set project_id = p.project_id, space_id = coalesce(p.project_id, e.org_id),
        tsv = search_vector(e.title, e.body, coalesce(p.project_id, e.org_id), e.type)
      from page p where e.org_id = ${orgId} and e.id = p.id and e.type = 'file' and e.scope_id = ${orgId}
    )
    select ${orgId}::uuid as scope, p.id from page p order by p.id desc limit 1`
  return row ?? null
}

const updatePosition = (
  sql: Sql,
  orgId: string,
  { type, folderId, version }: Backlog,
  after: { scope: string; id: string },
  dueAt: Date,
) => sql`
  update search_backlog set after_scope = ${after.scope}, after_id = ${after.id}, due_at = ${dueAt}
  where org_id = ${orgId} and type = ${type} and folder_id = ${folderId} and version = ${version}`

const deleteBacklog = (sql: Sql, orgId: string, { type, folderId, version }: Backlog) => sql`
  delete from search_backlog
  where org_id = ${orgId} and type = ${type} and folder_id = ${folderId} and version = ${version}`

/** Releases all leases when the only process on the database starts: every lease belongs to a killed process. */
export const releaseBacklogs = (sql: Sql, now: Date) => sql`
  update search_backlog set due_at = ${now} where due_at > ${now}`

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

/** Deletes at most `limit` entries of a purged project: its runs and sessions stay, without their texts. */
export async function deleteEntriesOf(
  sql: Sql,
  orgId: string,
  projectId: string,
  limit: number,
): Promise<number> {
  const { count } = await sql`
    delete from search_entries where ctid = any(array(
      select ctid from search_entries where org_id = ${orgId} and space_id = ${projectId} limit ${limit}))`
  return count
}
