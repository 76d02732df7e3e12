import { SEARCH_LIMITS, type SearchType } from '../../../contract/search/search-options.ts'
import type { Sql } from '../../database/database.ts'
import { inBatch } from '../../database/delete-batch.ts'
import type { WorkerRuntime } from '../../feature.ts'
import { claimFairly, type OrganizationClaim, type Queue, waitingIn } from '../../jobs/claim-fairly.ts'
import { startOrganizationLoop } from '../../jobs/organization-loop.ts'

export const SEARCH_CHANNEL = 'atrium_search'
const CONCURRENCY_MAX = 2
const LEASE_MS = 60_000

/** Indexes records that are older than the search. A crash repeats one batch. */
export const startBacklogWorker = (runtime: WorkerRuntime) =>
  startOrganizationLoop<Backlog>(runtime, {
    name: 'search backlogs',
    channel: SEARCH_CHANNEL,
    waiting: waitingIn(BACKLOG_QUEUE),
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

/** Records missing from the index: one type's records or one folder's files. */
interface Backlog {
  orgId: string
  type: Exclude<SearchType, 'event'>
  folderId: string
  afterScope: string
  afterId: string
  version: number
}

const BATCH = 500

const BACKLOG_QUEUE: Queue = { table: 'search_backlog', key: ['type', 'folder_id'], indexedBy: 'org_id' }

export const claimBacklogs = (sql: Sql, claim: OrganizationClaim) =>
  claimFairly<Backlog>(sql, BACKLOG_QUEUE, claim, {
    lease: sql`due_at = ${claim.leasedUntil}`,
    returning: sql`t.org_id as "orgId", t.type, t.folder_id as "folderId", t.after_scope as "afterScope",
      t.after_id as "afterId", t.version`,
  })

async function fillType(sql: Sql, orgId: string, { type, afterScope, afterId }: Backlog) {
  const [row] = await sql<{ scope: string; id: string }[]>`
    select * from ${sql(`search_fill_${type}`)}(${orgId}, ${afterScope}, ${afterId}, ${BATCH})`
  return row ?? null
}

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

/** Run at startup as the only process on the database, when every lease belongs to a killed process. */
export const releaseBacklogs = (sql: Sql, now: Date) => sql`
  update search_backlog set due_at = ${now} where due_at > ${now}`

/** At the same time. Texts wait for nothing but their turn, so a later time is a lease. */
export const releaseTexts = (sql: Sql, now: Date) => sql`
  update search_entries set text_due_at = ${now} where text_due_at > ${now}`

export interface DueText {
  orgId: string
  id: string
  objectKey: string
}

/** A file that kills its reader process isn't read a fourth time. */
const ATTEMPTS_MAX = 3

const TEXTS_QUEUE: Queue = {
  table: 'search_entries',
  key: ['type', 'scope_id', 'id'],
  due: 'text_due_at',
  indexedBy: 'org_id',
}

export const textsWaiting = waitingIn(TEXTS_QUEUE)

export const claimTexts = (sql: Sql, claim: OrganizationClaim) =>
  claimFairly<DueText>(sql, TEXTS_QUEUE, claim, {
    lease: sql`text_attempts = t.text_attempts + 1,
      text_due_at = case when t.text_attempts + 1 < ${ATTEMPTS_MAX} then ${claim.leasedUntil}::timestamptz end`,
    returning: sql`t.org_id as "orgId", t.id, t.text_key as "objectKey"`,
  })

/** Ignored if the file has a newer object. */
export const saveText = (sql: Sql, orgId: string, { id, objectKey }: DueText, text: string) => sql`
  update search_entries e set body = t.body, tsv = search_vector(e.title, t.body, e.space_id, e.type), text_due_at = null
  from (values (left(${text}, ${SEARCH_LIMITS.text}))) t (body)
  where e.org_id = ${orgId} and e.id = ${id} and e.type = 'file' and e.scope_id = ${orgId} and e.text_key = ${objectKey}`

/** The attempt doesn't count. */
export const postponeText = (sql: Sql, orgId: string, { id, objectKey }: DueText, dueAt: Date) => sql`
  update search_entries set text_due_at = ${dueAt}, text_attempts = greatest(text_attempts - 1, 0)
  where org_id = ${orgId} and id = ${id} and type = 'file' and scope_id = ${orgId} and text_key = ${objectKey}`

/** Reads the texts of the next files again, in the order of ids. Returns the last id, or null after the last file. */
export async function requeueTexts(
  sql: Sql,
  orgId: string,
  { after, limit, now }: { after: string; limit: number; now: Date },
): Promise<string | null> {
  const [row] = await sql<{ last: string | null }[]>`
    with page as materialized (
      select f.id from files f where f.org_id = ${orgId} and f.id > ${after} order by f.id limit ${limit}
    ), requeued as (
      update search_entries e set text_due_at = ${now}, text_attempts = 0 from page p
      where e.org_id = ${orgId} and e.id = p.id and e.type = 'file' and e.scope_id = ${orgId} and e.text_key is not null
        and e.text_due_at is null
    )
    select p.id as last from page p order by p.id desc limit 1`
  return row?.last ?? null
}

/** Runs and sessions stay, without their texts. */
export async function deleteProjectSearchEntries(
  sql: Sql,
  orgId: string,
  projectId: string,
  limit: number,
): Promise<number> {
  const { count } = await sql`
    delete from search_entries
    where ${inBatch(sql, sql`search_entries t where t.org_id = ${orgId} and t.space_id = ${projectId}`, limit)}`
  return count
}
