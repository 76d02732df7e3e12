import type { z } from 'zod'
import type { SearchItem } from '../../../contract/search/search.ts'
import type { SearchType } from '../../../contract/search/search-options.ts'
import type { Caller, Context } from '../../context.ts'
import type { Sql } from '../../database/database.ts'
import type { Query } from './parse-query.ts'
import { isEntryVisible } from './visible.ts'

export type Item = z.output<typeof SearchItem>

const TITLE_MAX = 120
/** English endings: matches `deployments` for `deployment` and the other way round. */
const ENDING = 2
const STEM_MIN = 4

export async function present(
  { sql, caller, origin }: Context,
  keys: readonly EntryKey[],
  query: Query | null,
): Promise<Item[]> {
  if (keys.length === 0) return []
  const rows = await listEntries(sql, caller, keys, query ? needlesOf(query) : [])
  const byKey = new Map(rows.map((row) => [entryKey(row), row]))
  return keys.flatMap((key) => {
    const row = byKey.get(entryKey(key))
    return row ? [itemOf(row, origin.baseUrl, caller.orgId)] : []
  })
}

export const entryKey = ({ type, id, scopeId }: EntryKey) => `${type} ${id} ${scopeId}`

const needlesOf = ({ typed, words }: Query) => {
  const whole = [...typed, ...words]
  const stems = whole.filter((word) => word.length >= STEM_MIN + ENDING).map((word) => word.slice(0, -ENDING))
  return [...new Set([...whole, ...stems])]
}

const itemOf = (row: EntryRow, baseUrl: string, orgId: string): Item => ({
  type: row.type,
  id: row.id,
  title: titleOf(row),
  snippet: snippetOf(row),
  url: baseUrl + pathOf(row, orgId),
  projectId: row.type === 'file' ? row.folderProjectId : row.projectId,
  updatedAt: row.updatedAt,
})

const UNTITLED: Partial<Record<EntryRow['type'], string>> = {
  session: 'Conversation',
  message: 'Conversation',
  run: 'Run',
}

function titleOf(row: EntryRow): string {
  const title = row.title || row.sessionTitle || UNTITLED[row.type]
  if (title) return title
  const [line = ''] = row.part.trim().split('\n')
  return line.length > TITLE_MAX ? `${line.slice(0, TITLE_MAX)}…` : line || 'Untitled'
}

function snippetOf({ part, isBeginning, isEnd }: EntryRow): string | null {
  const text = part.replace(/\s+/g, ' ').trim()
  if (text === '') return null
  return `${isBeginning ? '' : '…'}${text}${isEnd ? '' : '…'}`
}

function pathOf(row: EntryRow, orgId: string): string {
  const { type, id, projectId, parentId } = row
  switch (type) {
    case 'project':
      return `/projects/${row.slug}`
    case 'block':
      return `/projects/${projectId}?block=${id}`
    case 'table':
      return `/projects/${projectId}/tables/${id}`
    case 'file':
      if (row.isFolder) return `/files/${id}`
      return `${row.folderId === orgId ? '/files' : `/files/${row.folderId}`}?file=${id}`
    case 'session':
      return `/chat/${id}`
    case 'message':
      return `/chat/${parentId}`
    case 'memory':
      return `/memory?id=${id}`
    case 'skill':
      return `/skills/${id}`
    case 'agent':
      return `/agents/${id}`
    case 'schedule':
      return '/schedules'
    case 'webhook':
      return `/webhooks/${id}`
    case 'run':
      return `/runs/${id}`
    case 'call':
      return `/phone/calls/${id}`
    case 'sms':
      return `/phone/messages?number=${parentId}&peer=${encodeURIComponent(row.title)}`
    case 'event':
      return `/webhooks/events/${id}`
  }
}

export interface EntryKey {
  type: SearchType
  id: string
  scopeId: string
}

interface EntryRow extends EntryKey {
  projectId: string | null
  parentId: string | null
  title: string
  updatedAt: string
  part: string
  isBeginning: boolean
  isEnd: boolean
  sessionTitle: string | null
  slug: string | null
  isFolder: boolean | null
  folderId: string | null
  folderProjectId: string | null
}

const BEFORE = 60
const LENGTH = 240

const listEntries = (sql: Sql, caller: Caller, keys: readonly EntryKey[], words: readonly string[]) => sql<
  EntryRow[]
>`
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
