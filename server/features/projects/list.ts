import type { InputOf } from '../../../contract/endpoint.ts'
import type { projects } from '../../../contract/projects/projects.ts'
import type { Context } from '../../context.ts'
import { decodeCursor, encodeCursor } from '../../database/cursor.ts'
import { listText } from '../../endpoint/json-text.ts'
import { forbidden } from '../../errors.ts'
import type { PagePosition } from '../project-access/project-access.ts'
import { noWorkspace } from './create.ts'
import {
  findByIndex,
  isIndexed,
  isWorkspaceVisible,
  listByIds,
  listProjects,
  listTrash,
  type ProjectFilter,
  scanPage,
} from './list-queries.ts'
import { createFolders } from './provision-folders.ts'
import type { ListedProject } from './records.ts'

type Input = InputOf<typeof projects.list>

/** Scanning this many projects is faster than any index lookup. */
const SCAN_MAX = 1000
/** Sorting more matches than this takes longer than scanning the list in order. */
const INDEX_MATCHES_MAX = 2000

export async function list(ctx: Context, input: Input) {
  if (ctx.caller.workspaceId === null) throw noWorkspace()
  const { limit = null, cursor, trashed } = input
  const scope = cursorScopeOf(ctx, input)
  const after = decodeCursor(ctx.vault, scope, cursor)
  const rows = await listRows(ctx, input, { after, limit: limit === null ? null : limit + 1 })
  if (rows.length === 0) await checkWorkspace(ctx, input.workspaceId)
  const page = limit === null ? rows : rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = rows.length > page.length && last
  const items = trashed ? page : await withFolders(ctx, page)
  return listText(items.map(({ json }) => json).join(','), {
    nextCursor: hasMore ? encodeCursor(ctx.vault, scope, positionOf(last, trashed)) : null,
  })
}

/** Creates missing folders, and reads the page again if there were any. */
async function withFolders(ctx: Context, page: ListedProject[]): Promise<ListedProject[]> {
  const without = page.filter(({ hasFolder }) => !hasFolder)
  if (without.length === 0) return page
  await createFolders(ctx, without)
  const { sql, caller } = ctx
  return listByIds(
    sql,
    caller.orgId,
    caller,
    page.map(({ id }) => id),
  )
}

/** Identifies the list that a cursor belongs to: it contains every filter, so a cursor of another list is invalid. */
const cursorScopeOf = (
  { caller }: Context,
  { status, visibility, workspaceId, search, tag, trashed }: Input,
) =>
  JSON.stringify([
    'projects',
    caller.orgId,
    caller.userId,
    status,
    visibility,
    workspaceId,
    search,
    tag,
    trashed,
  ])

const positionOf = ({ id, deletedAt }: ListedProject, trashed: boolean) =>
  trashed ? `${deletedAt} ${id}` : id

type ListContext = Pick<Context, 'sql' | 'caller'>

export async function listRows(
  { sql, caller }: ListContext,
  filter: ProjectFilter & { trashed: boolean },
  position: PagePosition,
): Promise<ListedProject[]> {
  const { orgId } = caller
  if (filter.trashed) {
    const after = (position.after?.split(' ') ?? null) as [string, string] | null
    return listTrash(sql, orgId, caller, filter, { ...position, after })
  }
  if (isIndexed(filter)) return listProjects(sql, orgId, caller, filter, position)
  const ids = await search({ sql, caller }, filter, position)
  return ids ? listByIds(sql, orgId, caller, ids) : listProjects(sql, orgId, caller, filter, position)
}

/**
 * The ids of the matching projects. Common matches are near the beginning of the list, so a short scan finds a page of
 * them; rare ones are found by index. Null for the rest (common, but far down the list): only a scan of the whole list
 * finds them.
 */
async function search(
  { sql, caller }: ListContext,
  filter: ProjectFilter,
  position: PagePosition,
): Promise<string[] | null> {
  const { orgId } = caller
  const { ids, isComplete } = await scanPage(sql, orgId, caller, filter, { ...position, scanMax: SCAN_MAX })
  if (isComplete || ids.length === position.limit) return ids
  return findByIndex(sql, orgId, caller, filter, { ...position, matchesMax: INDEX_MATCHES_MAX })
}

/** Runs only for an empty page: a workspace that the caller does not see has nothing to list. */
async function checkWorkspace({ sql, caller }: Context, id: string | undefined): Promise<void> {
  if (id === undefined || (await isWorkspaceVisible(sql, caller.orgId, caller, id))) return
  throw forbidden('You have no access to this workspace', { reason: 'no_workspace_access' })
}
