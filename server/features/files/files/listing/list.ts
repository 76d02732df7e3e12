import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { files } from '../../../../../contract/files/files.ts'
import type { Context } from '../../../../context.ts'
import { decodeCursor, encodeCursor } from '../../../../database/cursor.ts'
import { badField } from '../../../../errors.ts'
import { type FileRow, present } from '../records.ts'
import { requireProjectFolder } from '../tree/destination.ts'
import { findVisibleFolder } from '../tree/folder-queries.ts'
import {
  cursorPosition,
  listByIds,
  listFolder,
  listTrashed,
  type Order,
  type Position,
  type TrashedFile,
} from './list-queries.ts'
import { search } from './search.ts'
import type { FoundPage } from './search-queries.ts'

type Input = InputOf<typeof files.list>

export async function list(ctx: Context<'vault'>, input: Input) {
  const { page, limit, cursor } = input
  const folderId = await folderIdOf(ctx, input)
  const order: Order = input.trashed ? 'deleted' : input.sort
  const scope = cursorScopeOf(ctx, input, folderId)
  const position = decodeCursor(ctx.vault, scope, cursor)
  const after = position === null ? null : openPosition(ctx, scope, position)
  const offset = after ? 0 : (page - 1) * limit
  const { rows, resume } = await listRows(ctx, input, folderId, { after, offset, limit: limit + 1 })
  const items = rows.slice(0, limit)
  const next =
    rows.length > limit
      ? JSON.stringify(cursorPosition(items.at(-1)!, order))
      : resume && sealPosition(ctx, scope, resume)
  const nextCursor = next && encodeCursor(ctx.vault, scope, next)
  return { items: items.map(presentListed), page, limit, nextCursor }
}

const presentListed = (row: FileRow | TrashedFile) => ({
  ...present(row),
  ...('canPurge' in row ? { canRestore: row.canRestore, canPurge: row.canPurge } : {}),
})

/** Contains every filter, so another list's cursor is invalid. */
const cursorScopeOf = (
  { caller }: Context,
  { search, source, tag, sort, trashed }: Input,
  folderId: string,
) => JSON.stringify(['files', caller.orgId, folderId, search, source, tag, trashed || sort])

/** A search may end early after a record that the caller can't see, and the position has its name. */
const sealPosition = ({ vault }: Context<'vault'>, scope: string, position: (string | number)[]): string =>
  vault.seal(scope, JSON.stringify(position))

const openPosition = ({ vault }: Context<'vault'>, scope: string, position: string): (string | number)[] =>
  JSON.parse(position.startsWith('[') ? position : vault.open(scope, position))

async function listRows(
  ctx: Context,
  input: Input,
  folderId: string,
  position: Position,
): Promise<{ rows: (FileRow | TrashedFile)[]; resume: FoundPage['resume'] }> {
  const { sql, caller } = ctx
  const { search: text, tag, source, trashed } = input
  if (text === undefined && tag === undefined && !trashed) {
    const rows = await listFolder(sql, caller, { folderId, source, order: input.sort }, position)
    if (rows.length === 0) await checkFolder(ctx, folderId)
    return { rows, resume: null }
  }
  await checkFolder(ctx, folderId)
  const order = trashed ? 'deleted' : input.sort
  const filter = { folder: { id: folderId }, search: text, tag, source, order } as const
  const { ids, resume } = await search(sql, caller, filter, position)
  const rows = await (trashed ? listTrashed(sql, caller, ids) : listByIds(sql, caller, ids, input.sort))
  return { rows, resume }
}

async function folderIdOf(ctx: Context, { parentId, projectId }: Input): Promise<string> {
  if (parentId === ctx.caller.orgId) throw badField('query.parentId', 'is not a folder here')
  const project = projectId === undefined ? null : await requireProjectFolder(ctx, projectId)
  if (project && parentId !== undefined) await checkFolder(ctx, parentId, project.id)
  return parentId ?? project?.id ?? ctx.caller.orgId
}

async function checkFolder(ctx: Context, id: string, within = ctx.caller.orgId): Promise<void> {
  if (id === ctx.caller.orgId) return
  const folder = await findVisibleFolder(ctx.sql, ctx.caller, id)
  if (!folder) throw badField('query.parentId', 'is not a folder here')
  if (!folder.path.includes(within)) throw badField('query.parentId', 'is not a folder in this project')
}
