import type { z } from 'zod'
import type { SearchItem } from '../../../contract/search/search.ts'
import type { Context } from '../../context.ts'
import type { Query } from './parse-query.ts'
import { type EntryKey, type EntryRow, listEntries } from './present-queries.ts'

export type Item = z.output<typeof SearchItem>

const TITLE_MAX = 120
/** English endings: a text contains `deployments` where `deployment` was typed, and the other way round. */
const ENDING = 2
const STEM_MIN = 4

/** The results of these entries, in this order. */
export async function present(
  { sql, caller, origin }: Context,
  keys: readonly EntryKey[],
  query: Query | null,
): Promise<Item[]> {
  if (keys.length === 0) return []
  const rows = await listEntries(sql, caller, keys, query ? needlesOf(query) : [])
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  return keys.flatMap((key) => {
    const row = byKey.get(keyOf(key))
    return row ? [itemOf(row, origin.baseUrl, caller.orgId)] : []
  })
}

export const keyOf = ({ type, id, scopeId }: EntryKey) => `${type} ${id} ${scopeId}`

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
      return `/telephony/calls/${id}`
    case 'sms':
      return `/telephony/messages?number=${parentId}&peer=${encodeURIComponent(row.title)}`
    case 'event':
      return `/webhooks/events/${id}`
  }
}
