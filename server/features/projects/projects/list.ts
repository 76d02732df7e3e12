import type { InputOf } from '../../../../contract/endpoint.ts'
import type { projects } from '../../../../contract/projects/projects.ts'
import type { Context } from '../../../context.ts'
import { decodeCursor, encodeCursor } from '../../../database/cursor.ts'
import { requirePrimary } from '../../../database/standby/standby.ts'
import { listText } from '../../../endpoint/json-text.ts'
import { ApiError, forbidden } from '../../../errors.ts'
import { type ListPosition, NEWEST_FIRST } from '../access/access.ts'
import { noWorkspace } from './create.ts'
import { isWorkspaceVisible, listByIds } from './list-queries.ts'
import { listRows } from './list-rows.ts'
import { createFolders } from './provision-folders.ts'
import type { ListedProject } from './records.ts'

type Input = InputOf<typeof projects.list>

export async function list(ctx: Context, input: Input) {
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

/** The trash and the list by opening have one order each. */
function checkOrder({ trashed, favourites, sort, order }: Input): void {
  const refuse = (path: string, message: string) => {
    throw new ApiError('BAD_REQUEST', `query.${path} ${message}`, {
      details: [{ path: `query.${path}`, message }],
    })
  }
  if (trashed && sort !== undefined) refuse('sort', 'must be absent in the list of deleted projects')
  if (trashed && favourites) refuse('favourites', 'must be absent in the list of deleted projects')
  if (order === 'asc' && (trashed || sort === 'opened')) refuse('order', 'must be desc in this list')
}

/** Creates missing folders, and reads the page again if there were any. */
async function withFolders(ctx: Context, page: ListedProject[]): Promise<ListedProject[]> {
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

/** Identifies the list that a cursor belongs to: it contains every filter, so a cursor of another list is invalid. */
const cursorScopeOf = ({ caller }: Context, input: Input) => {
  const { status, visibility, workspaceId, search, tag, trashed, favourites, sort, order } = input
  const filter = [status, visibility, workspaceId, search, tag, trashed, favourites, sort, order]
  return JSON.stringify(['projects', caller.orgId, caller.userId, ...filter])
}

/** Runs only for an empty page: a workspace that the caller does not see has nothing to list. */
async function checkWorkspace({ sql, caller }: Context, id: string | undefined): Promise<void> {
  if (id === undefined || (await isWorkspaceVisible(sql, caller.orgId, caller, id))) return
  throw forbidden('You have no access to this workspace', { reason: 'no_workspace_access' })
}
