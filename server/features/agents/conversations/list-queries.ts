import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { isProjectVisible, visibleRows } from '../../projects/access/access.ts'
import {
  conversationMatches,
  countNewestMatches,
  listProjectsIfFew,
  newestConversationMatch,
  selectMatch,
  toTextQuery,
} from '../../search/search.ts'
import { type SessionRow, sessionColumns } from './session-queries.ts'

export interface SessionFilter {
  projectId?: string
  agentId?: string
  status?: 'open' | 'ended'
  search?: string
  branchedFrom?: string
}

export interface SessionPosition {
  lastMessageAt: string
  id: string
}

export interface ListedSession extends SessionRow {
  /** Null if only the title matches. */
  match: string | null
}

interface Page {
  before: SessionPosition | null
  limit: number
}

/** Newest message first. */
export const listSessions = (sql: Sql, caller: Caller, filter: SessionFilter, page: Page) => {
  const { search, projectId, agentId, branchedFrom } = filter
  if (search !== undefined) return searchSessions(sql, caller, filter, search, page)
  const order = sql`order by x.last_message_at desc, x.id desc`
  const rows = sql`select s.* from agent_sessions s where ${matches(sql, caller, filter, page.before)}`
  // No index combines a project with an agent or a branch.
  const isNarrow = [projectId, agentId, branchedFrom].some((value) => value !== undefined)
  const { limit } = page
  const isVisible = isProjectVisible(sql, caller, sql`x.project_id`)
  const columns = sql`x.last_message_at, x.id`
  const chosen = isNarrow
    ? sql`select x.id from (${rows}) x where ${isVisible} ${order} limit ${limit}`
    : visibleRows(sql, caller, { rows, columns, order, unindexed: sql`x.created_by`, isVisible, limit })
  return sql<ListedSession[]>`
    select ${sessionColumns(sql)}, 'view' as access, null as match from (${chosen}) x
    cross join lateral (
      select s.* from agent_sessions s where s.org_id = ${caller.orgId} and s.id = any(array[x.id]) order by s.id limit 1
    ) s
    order by s.last_message_at desc, s.id desc`
}

/** The status is inlined because partial indexes need it. */
const matches = (
  sql: Sql,
  caller: Caller,
  { projectId, agentId, status, branchedFrom }: SessionFilter,
  before: SessionPosition | null,
): Fragment => sql`
  s.org_id = ${caller.orgId} and s.deleted_at is null and s.parent_run_id is null
  ${projectId ? sql`and s.project_id = ${projectId}` : sql``}
  ${agentId ? sql`and s.agent_id = ${agentId}` : sql``}
  ${status ? (status === 'open' ? sql`and s.status = 'open'` : sql`and s.status = 'ended'`) : sql``}
  ${branchedFrom ? sql`and s.branched_from = ${branchedFrom}` : sql``}
  ${before ? sql`and (s.last_message_at, s.id) < (${before.lastMessageAt}, ${before.id})` : sql``}`

/** Recent matches that make a word common. The index would then list a large share. */
const COMMON = 50
const NEWEST_MAX = 400
/** For a common word: sessions, and recent messages in each. */
const SESSIONS_MAX = 1000
const SESSIONS_EACH_MIN = 20
const PER_SESSION_MAX = 50
/** How many index matches a search for other words reads. */
const MATCHES_MAX = 5000

/** Returns each session's newest match. The work doesn't grow with the number of messages. */
async function searchSessions(sql: Sql, caller: Caller, filter: SessionFilter, search: string, page: Page) {
  const { orgId } = caller
  const words = toTextQuery(sql, search)
  const isCommon = (await countNewestMatches(sql, orgId, words, NEWEST_MAX)) >= COMMON
  const isMatch = matches(sql, caller, filter, page.before)
  const isVisible = isProjectVisible(sql, caller, sql`s.project_id`)
  const projects = isCommon && filter.projectId === undefined ? await listProjectsIfFew(sql, caller) : null
  const found = isCommon
    ? sql`select s.*, f.message_id from (${nextSessions(sql, isMatch, projects)}) s
        cross join lateral (${newestConversationMatch(sql, words, PER_SESSION_MAX)}) f where ${isVisible}`
    : sql`${sessionsByIndex(sql, orgId, words)} where ${isMatch} and ${isVisible}`
  return sql<ListedSession[]>`
    select ${sessionColumns(sql)}, 'view' as access, ${selectMatch(sql, orgId, words, sql`s.message_id`)} as match
    from (${found} order by s.last_message_at desc, s.id desc limit ${page.limit}) s
    order by s.last_message_at desc, s.id desc`
}

const sessionsByIndex = (sql: Sql, orgId: string, words: Fragment): Fragment => sql`
  select s.*, f.message_id from (${conversationMatches(sql, orgId, words, MATCHES_MAX)}) f cross join lateral (
    select s.* from agent_sessions s where s.org_id = ${orgId} and s.id = any(array[f.session_id]) order by s.id limit 1
  ) s`

/** Per project if the caller sees few, else for the organization. */
function nextSessions(sql: Sql, isMatch: Fragment, projects: readonly string[] | null): Fragment {
  const next = (condition: Fragment, limit: number) => sql`
    select s.* from agent_sessions s where ${isMatch} ${condition}
    order by s.last_message_at desc, s.id desc limit ${limit}`
  if (projects === null) return next(sql``, SESSIONS_MAX)
  const each = Math.max(SESSIONS_EACH_MIN, Math.floor(SESSIONS_MAX / projects.length))
  return sql`
    select s.* from unnest(${projects as string[]}::uuid[]) p (id)
    cross join lateral (${next(sql`and s.project_id = p.id`, each)}) s`
}
