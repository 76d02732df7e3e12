import type { Caller } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import type { Draft } from './records.ts'
import { isMemoryVisible } from './visible.ts'

/** A memory that runs wrote, as it was before them, after them and is now. Null: it did not exist. */
export interface WrittenMemory {
  id: string
  projectId: string | null
  /** A proposal of a run that is not trusted. */
  isProposal: boolean
  version: number
  before: Draft | null
  after: Draft | null
  current: Draft | null
  /** Whether the version before the runs is no longer stored. */
  isForgotten: boolean
  isEdited: boolean
}

/** A page of the changes that the caller can see, after an id. */
interface Page {
  caller: Caller
  after: string | null
  limit: number
}

/**
 * Memories that these runs wrote, by id. A version with the change `removed` ends a memory without deleting its row, so
 * that an undo can be undone. Proposals that a person has decided are left out: an accepted one is a version of the memory.
 */
export const listWritten = (
  sql: Sql,
  orgId: string,
  runIds: readonly string[],
  { page, lock = false }: { page?: Page; lock?: boolean },
) => sql<WrittenMemory[]>`
  with written as (
    select memory_id, min(version) as first, max(version) as last from memory_versions
    where org_id = ${orgId} and run_id = any(${runIds as string[]}::uuid[])
      and ${page?.after ? sql`memory_id > ${page.after}` : sql`true`}
    group by memory_id order by memory_id
  )
  select m.id, m.project_id as "projectId", m.origin_project_id is not null as "isProposal", m.version,
    m.version > w.last as "isEdited", w.first > 1 and b.version is null as "isForgotten",
    case when b.change <> 'removed' then json_build_object('key', b.key, 'content', b.content, 'tags', b.tags) end as before,
    case when a.change <> 'removed' then json_build_object('key', a.key, 'content', a.content, 'tags', a.tags) end as after,
    case when m.status in ('active', 'proposed') then
      json_build_object('key', m.key, 'content', m.content, 'tags', m.tags) end as current
  from written w
  join memories m on m.org_id = ${orgId} and m.id = w.memory_id
  join memory_versions a on a.org_id = ${orgId} and a.memory_id = m.id and a.version = w.last
  left join memory_versions b on b.org_id = ${orgId} and b.memory_id = m.id and b.version = w.first - 1
  where ${page ? isMemoryVisible(sql, page.caller) : sql`true`} and (m.status in ('active', 'proposed') or exists (
    select from memory_versions r
    where r.org_id = ${orgId} and r.memory_id = m.id and r.version = m.version and r.change = 'removed'))
  order by m.id ${page ? sql`limit ${page.limit}` : sql``} ${lock ? sql`for no key update of m` : sql``}`

/** Ends a memory, or makes one that was ended available again. */
export const updateExistence = (
  sql: Sql,
  orgId: string,
  id: string,
  { exists, isProposal, by, now }: { exists: boolean; isProposal: boolean; by: string; now: Date },
) => sql`
  update memories set status = ${exists ? (isProposal ? 'proposed' : 'active') : 'rejected'},
    decided_by = ${exists ? null : by}, decided_at = ${exists ? null : now}
  where org_id = ${orgId} and id = ${id}`
