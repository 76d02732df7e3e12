import { SEARCH_LIMITS } from '../../../../contract/search/search-options.ts'
import { type ExtractedText, markdownBlocks } from '../../../../markdown/text-blocks.ts'
import type { Sql } from '../../../database/database.ts'
import type { WorkerRuntime } from '../../../feature.ts'
import { claimFairly, type OrganizationClaim, type Queue, waitingIn } from '../../../jobs/claim-fairly.ts'
import { startOrganizationLoop } from '../../../jobs/organization-loop.ts'
import { isPassing, PASSING_MS } from '../../../jobs/passing-failure.ts'
import { SEARCH_CHANNEL } from '../../search/search.ts'
import { readSession } from './read-session.ts'
import { moveSource, removeSource, replacePassages, type SourceKey, type SourceType } from './store.ts'

const LEASE_MS = 120_000
/** A source that kills its process isn't tried a fourth time. */
const ATTEMPTS_MAX = 3

/** Indexes notes, memories and pinned conversations, and follows files that were renamed, moved or deleted. A crash repeats one source. */
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
    release: async (due, error) => {
      if (!isPassing(error)) return
      const { sql, now } = runtime.context()
      await postponeSource(sql, due.orgId, due.id, new Date(now().getTime() + PASSING_MS))
    },
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

/** The attempt doesn't count. */
const postponeSource = (sql: Sql, orgId: string, id: string, dueAt: Date) => sql`
  update passage_sources set due_at = ${dueAt}, attempts = greatest(attempts - 1, 0),
    state = case when state = 'failed' and type <> 'file' then 'waiting' else state end
  where org_id = ${orgId} and id = ${id}`

async function syncSource(sql: Sql, { orgId, id, revision, ...key }: DueSource) {
  // A message that is being written mustn't wait until a conversation has been cut.
  await (key.type === 'session' ? lockAgainstWorkers(sql, orgId, id) : lockRow(sql, orgId, id))
  const [source] = await sql<{ title: string; spaceId: string }[]>`
    select title, space_id as "spaceId" from passage_sources where org_id = ${orgId} and id = ${id}`
  if (!source) return
  const read = () => READERS[key.type](sql, orgId, key)
  let record = await read()
  if (record === null && key.type === 'session') {
    // It may have been pinned again since it was read.
    await lockRow(sql, orgId, id)
    record = await read()
  }
  if (record === null) return removeSource(sql, orgId, id)
  const { text } = record
  if (text !== null) await replacePassages(sql, orgId, id, { ...record, text })
  else if (record.title !== source.title || record.spaceId !== source.spaceId)
    await moveSource(sql, orgId, id, record)
  await sql`
    update passage_sources set due_at = case when revision = ${revision} then null else due_at end, attempts = 0
    where org_id = ${orgId} and id = ${id}`
}

const lockRow = (sql: Sql, orgId: string, id: string) => sql`
  select from passage_sources where org_id = ${orgId} and id = ${id} for no key update`

const lockAgainstWorkers = (sql: Sql, orgId: string, id: string) => sql`
  select pg_advisory_xact_lock(hashtextextended('passage source' || ${orgId}::text || ${id}::text, 0))`

interface SourceRecord {
  spaceId: string
  version: number
  title: string
  /** Null for a file, whose text another worker extracts. */
  text: ExtractedText | null
  grows?: true
}

interface TextRecord extends Omit<SourceRecord, 'text'> {
  text: string
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
    const [row] = await sql<TextRecord[]>`
      select b.project_id as "spaceId", b.version, coalesce(b.title, '') as title,
        left(coalesce(b.content, ''), ${SEARCH_LIMITS.text}) as text
      from blocks b
      where b.org_id = ${orgId} and b.project_id = ${scopeId} and b.id = ${itemId} and b.type in ('text', 'note')
        and btrim(coalesce(b.content, '')) <> ''`
    return row ? toRecord(row) : null
  },
  memory: async (sql, orgId, { itemId }) => {
    const [row] = await sql<TextRecord[]>`
      select coalesce(m.project_id, m.org_id) as "spaceId", m.version, m.key as title, m.content as text
      from memories m where m.org_id = ${orgId} and m.id = ${itemId} and m.status = 'active'`
    return row ? toRecord(row) : null
  },
  session: async (sql, orgId, { itemId }) => {
    const [row] = await sql<Omit<SourceRecord, 'text' | 'version'>[]>`
      select s.project_id as "spaceId", coalesce(s.title, '') as title from agent_sessions s
      where s.org_id = ${orgId} and s.id = ${itemId} and s.knowledge and s.deleted_at is null`
    if (!row) return null
    const { lastSeq, text } = (await readSession(sql, orgId, itemId)) ?? NO_MESSAGES
    return { ...row, version: lastSeq, text, grows: true }
  },
}

const NO_MESSAGES = { lastSeq: 0, text: markdownBlocks('') }

const toRecord = ({ text, ...record }: TextRecord): SourceRecord => ({
  ...record,
  text: markdownBlocks(text),
})

/** Run at startup as the only process on the database, when every lease belongs to a killed process. */
export const releaseSources = (sql: Sql, now: Date) => sql`
  update passage_sources set due_at = ${now} where due_at > ${now}`
