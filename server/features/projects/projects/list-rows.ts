import type { InputOf } from '../../../../contract/endpoint.ts'
import type { projects } from '../../../../contract/projects/projects.ts'
import type { Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { isoTime } from '../../../database/json.ts'
import { NEWEST_FIRST, type PagePosition, type ProjectOrder } from '../access/access.ts'
import { favouriteIds, listOpenedIds, openedAt, openedIds } from './favourites/personal-queries.ts'
import {
  findByIndex,
  isIndexed,
  listByIds,
  listPersonal,
  listProjects,
  listTrash,
  type OrderedPage,
  type ProjectFilter,
  scanPage,
} from './list-queries.ts'
import type { ListedProject } from './records.ts'

/** Scanning this many projects is faster than any index lookup. */
const SCAN_MAX = 1000
/** Sorting more matches than this takes longer than scanning the list in order. */
const INDEX_MATCHES_MAX = 2000

type Sort = NonNullable<InputOf<typeof projects.list>['sort']>

export interface ListFilter extends ProjectFilter {
  trashed: boolean
  favourites?: boolean
  /** By creation if absent. */
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

/** The sort key of the few projects of a person, as text. */
const SORT_KEYS: Record<Sort, (sql: Sql, caller: ListContext['caller']) => Fragment> = {
  created: (sql) => sql`p.id::text`,
  updated: (sql) => sql`${isoTime(sql, sql`p.active_at`)} collate "C"`,
  name: (sql) => sql`p.sort_key`,
  opened: (sql, { orgId, userId }) => sql`coalesce(${openedAt(sql, orgId, userId)}, '') collate "C"`,
}

/**
 * First the projects that the caller opened, the latest first; then the others, newest first: their positions have no
 * key.
 */
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
 * The ids of the matching projects. Common matches are near the beginning of the list, so a short scan finds a page of
 * them; rare ones are found by index. Null for the rest (common, but far down the list): only a scan of the whole list
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
