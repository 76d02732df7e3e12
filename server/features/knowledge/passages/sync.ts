import { SEARCH_LIMITS } from '../../../../contract/search/search-options.ts'
import { markdownBlocks } from '../../../../markdown/text-blocks.ts'
import type { Sql } from '../../../database/database.ts'
import type { WorkerRuntime } from '../../../feature.ts'
import { claimFairly, type OrganizationClaim, type Queue, waitingIn } from '../../../jobs/claim-fairly.ts'
import { startOrganizationLoop } from '../../../jobs/organization-loop.ts'
import { SEARCH_CHANNEL } from '../../search/search.ts'
import { moveSource, removeSource, replacePassages, type SourceKey, type SourceType } from './store.ts'

const LEASE_MS = 120_000
/** A source that kills its process isn't tried a fourth time. */
const ATTEMPTS_MAX = 3

/** Indexes notes and memories, and follows files that were renamed, moved or deleted. A crash repeats one source. */
export const startSourceWorker = (runtime: WorkerRuntime) =>
  startOrganizationLoop<DueSource>(runtime, {
    name: 'passages',
    channel: SEARCH_CHANNEL,
    waiting: waitingIn(SOURCE_QUEUE),
    concurrency: 1,
    perOrganization: 1,
    leaseMs: LEASE_MS,
    whileSuspended: true,
    claim: (request) => claimSources(runtime.pool, request),
    run: async (due) => {
      await runtime.context().transaction(({ sql }) => syncSource(sql, due))
    },
  })

interface DueSource extends SourceKey {
  orgId: string
  id: string
  revision: number
}

const SOURCE_QUEUE: Queue = { table: 'passage_sources', key: ['id'], indexedBy: 'org_id' }

const claimSources = (sql: Sql, claim: OrganizationClaim) =>
  claimFairly<DueSource>(sql, SOURCE_QUEUE, claim, {
    lease: sql`attempts = t.attempts + 1,
      state = case when t.attempts + 1 < ${ATTEMPTS_MAX} or t.type = 'file' then t.state else 'failed' end,
      due_at = case when t.attempts + 1 < ${ATTEMPTS_MAX} then ${claim.leasedUntil}::timestamptz end`,
    returning: sql`t.org_id as "orgId", t.id, t.type, t.item_id as "itemId", t.scope_id as "scopeId", t.revision`,
  })

async function syncSource(sql: Sql, { orgId, id, revision, ...key }: DueSource) {
  const [source] = await sql<{ title: string; spaceId: string; passages: number; version: number }[]>`
    select title, space_id as "spaceId", passages, version from passage_sources
    where org_id = ${orgId} and id = ${id} for no key update`
  if (!source) return
  const record = await READERS[key.type](sql, orgId, key)
  if (record === null) return removeSource(sql, orgId, id)
  if (record.text !== null)
    await replacePassages(sql, orgId, id, { ...record, text: markdownBlocks(record.text) })
  else if (record.title !== source.title || record.spaceId !== source.spaceId)
    await moveSource(sql, orgId, id, record)
  await sql`
    update passage_sources set due_at = case when revision = ${revision} then null else due_at end, attempts = 0
    where org_id = ${orgId} and id = ${id}`
}

interface SourceRecord {
  spaceId: string
  version: number
  title: string
  /** Null for a file, whose text another worker extracts. */
  text: string | null
}

type Reader = (sql: Sql, orgId: string, key: SourceKey) => Promise<SourceRecord | null>

/** As they are now. Null if they are gone, or aren't knowledge any more. */
const READERS: Record<SourceType, Reader> = {
  file: async (sql, orgId, { itemId }) => {
    const [row] = await sql<SourceRecord[]>`
      select coalesce(d.project_id, f.org_id) as "spaceId", f.content_number as version, f.name as title, null as text
      from files f join folders d on d.org_id = f.org_id and d.id = f.parent_id
      where f.org_id = ${orgId} and f.id = ${itemId} and f.deleted_at is null and f.status = 'ready'
        and f.source = 'upload'`
    return row ?? null
  },
  block: async (sql, orgId, { itemId, scopeId }) => {
    const [row] = await sql<SourceRecord[]>`
      select b.project_id as "spaceId", b.version, coalesce(b.title, '') as title,
        left(coalesce(b.content, ''), ${SEARCH_LIMITS.text}) as text
      from blocks b
      where b.org_id = ${orgId} and b.project_id = ${scopeId} and b.id = ${itemId} and b.type in ('text', 'note')
        and btrim(coalesce(b.content, '')) <> ''`
    return row ?? null
  },
  memory: async (sql, orgId, { itemId }) => {
    const [row] = await sql<SourceRecord[]>`
      select coalesce(m.project_id, m.org_id) as "spaceId", m.version, m.key as title, m.content as text
      from memories m where m.org_id = ${orgId} and m.id = ${itemId} and m.status = 'active'`
    return row ?? null
  },
}

/** Run at startup as the only process on the database, when every lease belongs to a killed process. */
export const releaseSources = (sql: Sql, now: Date) => sql`
  update passage_sources set due_at = ${now} where due_at > ${now}`
