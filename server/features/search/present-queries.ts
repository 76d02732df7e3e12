import type { SearchType } from '../../../contract/search/search-options.ts'
import type { Caller } from '../../context.ts'
import type { Sql } from '../../database/database.ts'
import { isEntryVisible } from './visible.ts'

export interface EntryKey {
  type: SearchType
  id: string
  scopeId: string
}

export interface EntryRow extends EntryKey {
  projectId: string | null
  parentId: string | null
  title: string
  updatedAt: string
  /** A part of the text, around the first word that it contains. */
  part: string
  isBeginning: boolean
  isEnd: boolean
  /** The title of the session of a message. */
  sessionTitle: string | null
  /** Of a project. */
  slug: string | null
  /** Of a file. */
  isFolder: boolean | null
  folderId: string | null
  folderProjectId: string | null
}

const BEFORE = 60
const LENGTH = 240

/** The entries with these keys that the caller still sees, with the fields of a result. */
export const listEntries = (
  sql: Sql,
  caller: Caller,
  keys: readonly EntryKey[],
  words: readonly string[],
) => sql<EntryRow[]>`
  select e.type, e.id, e.scope_id as "scopeId", e.project_id as "projectId", e.parent_id as "parentId", e.title,
    greatest(e.updated_at, case when e.type = 'session' then (
      select s.last_message_at from agent_sessions s
      where s.org_id = ${caller.orgId} and s.id = any(array[e.id]) order by s.id limit 1) end) as "updatedAt",
    substr(e.body, at.first, ${LENGTH}) as part, at.first = 1 as "isBeginning",
    length(e.body) < at.first + ${LENGTH} as "isEnd",
    case when e.type = 'message' then (
      select s.title from agent_sessions s
      where s.org_id = ${caller.orgId} and s.id = any(array[e.parent_id]) order by s.id limit 1) end as "sessionTitle",
    case when e.type = 'project' then (
      select p.slug from projects p where p.org_id = ${caller.orgId} and p.id = any(array[e.id]) order by p.id limit 1) end as slug,
    f."isFolder", f."folderId", f."folderProjectId"
  from unnest(${keys.map(({ id }) => id)}::uuid[], ${keys.map(({ type }) => type)}::text[],
    ${keys.map(({ scopeId }) => scopeId)}::uuid[]) k (id, type, scope_id)
  cross join lateral (
    select e.* from search_entries e
    where e.org_id = ${caller.orgId} and e.id = any(array[k.id]) and e.type = k.type and e.scope_id = k.scope_id
    order by e.id limit 1
  ) e
  cross join lateral (
    select greatest(1, coalesce((
      select strpos(b.lower, w.word) from (values (lower(e.body))) b (lower)
      cross join unnest(${words as string[]}::text[]) with ordinality w (word, i)
      where strpos(b.lower, w.word) > 0 order by w.i limit 1
    ), 1) - ${BEFORE}) as first
  ) at
  left join lateral (
    select f.source = 'folder' as "isFolder", f.parent_id as "folderId", s.project_id as "folderProjectId"
    from files f cross join lateral (
      select s.project_id from folders s
      where s.org_id = ${caller.orgId} and s.id = any(array[case when f.source = 'folder' then f.id else f.parent_id end])
      order by s.id limit 1
    ) s
    where e.type = 'file' and f.org_id = ${caller.orgId} and f.id = any(array[e.id]) order by f.id limit 1
  ) f on true
  where ${isEntryVisible(sql, caller)}`
