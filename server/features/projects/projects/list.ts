import type { InputOf } from '../../../../contract/endpoint.ts'
import type { projects } from '../../../../contract/projects/projects.ts'
import type { Context } from '../../../context.ts'
import { decodeCursor, encodeCursor } from '../../../database/cursor.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { isoTime } from '../../../database/json.ts'
import { requirePrimary } from '../../../database/standby/standby.ts'
import { listText } from '../../../endpoint/serialize.ts'
import { ApiError, forbidden } from '../../../errors.ts'
import { type ListPosition, NEWEST_FIRST, type PagePosition, type ProjectOrder } from '../access/access.ts'
import { createFolders, noWorkspace } from './create.ts'
import { favouriteIds, listOpenedIds, openedAt, openedIds } from './favourites/personal-queries.ts'
import {
  findByIndex,
  isIndexed,
  isWorkspaceVisible,
  listByIds,
  listPersonal,
  listProjects,
  listTrash,
  type OrderedPage,
  type ProjectFilter,
  scanPage,
} from './list-queries.ts'
import type { ListedProject } from './records.ts'

type Input = InputOf<typeof projects.list>

export async function list(ctx: Context<'quotas' | 'vault'>, input: Input) {
  if (ctx.caller.workspaceId === null) throw noWorkspace()
  checkOrder(input)
  const { limit = null, cursor, trashed } = input
  const scope = cursorScopeOf(ctx, input)
  const after = parsePosition(decodeCursor(ctx.vault, scope, cursor))
  const rows = await listRows(ctx, input, { after, limit: limit === null ? null : limit + 1 })
  if (rows.length === 0) await checkWorkspace(ctx, input.workspaceId)
  const page = limit === null ? rows : rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = rows.length > page.length && last
  const items = trashed ? page : await withFolders(ctx, page)
  return listText(items.map(({ json }) => json).join(','), {
    nextCursor: hasMore ? encodeCursor(ctx.vault, scope, JSON.stringify([last.key, last.id])) : null,
  })
}

const parsePosition = (text: string | null): ListPosition | null => {
  if (text === null) return null
  const [key, id] = JSON.parse(text) as [string | null, string]
  return { key, id }
}

/** The trash and the opened list have one order each. */
function checkOrder({ trashed, favourites, sort, order }: Input): void {
  const refuse = (path: string, message: string) => {
    throw new ApiError('BAD_REQUEST', `query.${path} ${message}`, {
      details: [{ path: `query.${path}`, message }],
    })
  }
  if (trashed && sort !== undefined) refuse('sort', 'must be absent when listing deleted projects')
  if (trashed && favourites) refuse('favourites', 'must be absent when listing deleted projects')
  if (order === 'asc' && (trashed || sort === 'opened')) refuse('order', 'must be desc in this list')
}

async function withFolders(ctx: Context<'quotas'>, page: ListedProject[]): Promise<ListedProject[]> {
  const withoutFolder = page.filter(({ hasFolder }) => !hasFolder)
  if (withoutFolder.length === 0) return page
  requirePrimary(ctx.sql)
  await createFolders(ctx, withoutFolder)
  const { sql, caller } = ctx
  const ids = page.map(({ id }) => id)
  const reread = await listByIds(sql, caller.orgId, caller, ids, NEWEST_FIRST)
  const byId = new Map(reread.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Contains every filter, so another list's cursor is invalid. */
const cursorScopeOf = ({ caller }: Context, input: Input) => {
  const { status, visibility, workspaceId, search, tag, trashed, favourites, sort, order } = input
  const filter = [status, visibility, workspaceId, search, tag, trashed, favourites, sort, order]
  return JSON.stringify(['projects', caller.orgId, caller.userId, ...filter])
}

/** Only needed for an empty page: an invisible workspace lists nothing. */
async function checkWorkspace({ sql, caller }: Context, id: string | undefined): Promise<void> {
  if (id === undefined || (await isWorkspaceVisible(sql, caller.orgId, caller, id))) return
  throw forbidden('You have no access to this workspace', { reason: 'no_workspace_access' })
}

/** Faster than any index lookup. */
const SCAN_MAX = 1000
/** Sorting more matches takes longer than scanning in order. */
const INDEX_MATCHES_MAX = 2000

type Sort = NonNullable<InputOf<typeof projects.list>['sort']>

export interface ListFilter extends ProjectFilter {
  trashed: boolean
  favourites?: boolean
  /** Defaults to creation. */
  sort?: Sort
  /** By default, names ascend and times descend. */
  order?: 'asc' | 'desc'
}

type ListContext = Pick<Context, 'sql' | 'caller'>

export async function listRows(
  ctx: ListContext,
  filter: ListFilter,
  position: PagePosition,
): Promise<ListedProject[]> {
  const { sql, caller } = ctx
  const { trashed, favourites, sort = 'created' } = filter
  if (trashed) return listTrash(sql, caller.orgId, caller, filter, position)
  if (favourites) return listFavourites(ctx, filter, position)
  if (sort === 'opened') return listOpenedFirst(ctx, filter, position)
  const order: ProjectOrder = { by: sort, isDescending: isDescending(filter) }
  return listInOrder(ctx, filter, { ...position, order })
}

const isDescending = ({ sort, order = sort === 'name' ? 'asc' : 'desc' }: ListFilter): boolean =>
  order === 'desc'

function listFavourites({ sql, caller }: ListContext, filter: ListFilter, position: PagePosition) {
  const { orgId, userId } = caller
  return listPersonal(sql, orgId, caller, filter, {
    ...position,
    set: favouriteIds(sql, orgId, userId),
    key: SORT_KEYS[filter.sort ?? 'created'](sql, caller),
    isDescending: isDescending(filter),
  })
}

const SORT_KEYS: Record<Sort, (sql: Sql, caller: ListContext['caller']) => Fragment> = {
  created: (sql) => sql`p.id::text`,
  updated: (sql) => sql`${isoTime(sql, sql`p.active_at`)} collate "C"`,
  name: (sql) => sql`p.sort_key`,
  opened: (sql, { orgId, userId }) => sql`coalesce(${openedAt(sql, orgId, userId)}, '') collate "C"`,
}

/** Opened projects first, then the others, newest first. The others' positions have no key. */
async function listOpenedFirst(
  ctx: ListContext,
  filter: ListFilter,
  { after, limit }: PagePosition,
): Promise<ListedProject[]> {
  const { sql, caller } = ctx
  const { orgId, userId } = caller
  const isPastOpened = after !== null && after.key === null
  const opened = isPastOpened
    ? []
    : await listPersonal(sql, orgId, caller, filter, {
        set: openedIds(sql, orgId, userId),
        key: SORT_KEYS.opened(sql, caller),
        isDescending: true,
        after,
        limit,
      })
  if (opened.length === limit) return opened
  const openedSet = new Set(await listOpenedIds(sql, orgId, userId))
  const others = await listInOrder(ctx, filter, {
    after: isPastOpened ? after : null,
    limit: limit === null ? null : limit - opened.length + openedSet.size,
    order: NEWEST_FIRST,
  })
  return [...opened, ...others.filter(({ id }) => !openedSet.has(id))].slice(0, limit ?? undefined)
}

async function listInOrder({ sql, caller }: ListContext, filter: ProjectFilter, page: OrderedPage) {
  const { orgId } = caller
  if (isIndexed(filter)) return listProjects(sql, orgId, caller, filter, page)
  const ids = await search({ sql, caller }, filter, page)
  return ids ? listByIds(sql, orgId, caller, ids, page.order) : listProjects(sql, orgId, caller, filter, page)
}

/**
 * A short scan finds common matches, and indexes find rare ones. Null for common matches far down: only a full scan
 * finds them.
 */
async function search(
  { sql, caller }: ListContext,
  filter: ProjectFilter,
  page: OrderedPage,
): Promise<string[] | null> {
  const { orgId } = caller
  const { ids, isComplete } = await scanPage(sql, orgId, caller, filter, { ...page, scanMax: SCAN_MAX })
  if (isComplete || ids.length === page.limit) return ids
  return findByIndex(sql, orgId, caller, filter, { ...page, matchesMax: INDEX_MATCHES_MAX })
}
