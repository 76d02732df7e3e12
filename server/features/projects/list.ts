import type { InputOf } from '../../../contract/endpoint.ts'
import type { projects } from '../../../contract/projects/projects.ts'
import type { Context } from '../../context.ts'
import { decodeCursor, encodeCursor } from '../../database/cursor.ts'
import { forbidden } from '../../errors.ts'
import { noWorkspace } from './create.ts'
import { ensureFolders } from './folders.ts'
import {
  findAlong,
  findByIndex,
  isWorkspaceSeen,
  listByIds,
  listProjects,
  listTrash,
  type Position,
  type Wanted,
} from './list-queries.ts'
import { type ProjectRow, present } from './records.ts'

type Input = InputOf<typeof projects.list>

/** Looking at this many is quicker than looking anything up. */
const STEPS = 1000
/** What is found more often than this is too common to be looked up and then sorted. */
const RARE_MAX = 2000

export async function list(ctx: Context, input: Input) {
  if (ctx.caller.workspaceId === null) throw noWorkspace()
  const { limit = null, cursor, trashed } = input
  const name = nameOf(ctx, input)
  const after = decodeCursor(ctx.vault, name, cursor)
  const rows = await listRows(ctx, input, { after, limit: limit === null ? null : limit + 1 })
  if (rows.length === 0) await checkWorkspace(ctx, input.workspaceId)
  const page = limit === null ? rows : rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = rows.length > page.length && last
  const items = trashed ? page : await ensureFolders(ctx, page)
  return {
    items: items.map(present),
    nextCursor: hasMore ? encodeCursor(ctx.vault, name, positionOf(last, trashed)) : null,
  }
}

/** All that decides which list this is, so that a cursor of one is of no use in another. */
const nameOf = ({ caller }: Context, { status, visibility, workspaceId, search, tag, trashed }: Input) =>
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

const positionOf = ({ id, deletedAt }: ProjectRow, trashed: boolean) => (trashed ? `${deletedAt} ${id}` : id)

/** What the list needs of a request. */
type Asked = Pick<Context, 'sql' | 'caller'>

export async function listRows(
  { sql, caller }: Asked,
  input: Wanted & { trashed: boolean },
  position: Position,
): Promise<ProjectRow[]> {
  const { orgId } = caller
  if (input.trashed) {
    const after = (position.after?.split(' ') ?? null) as [string, string] | null
    return listTrash(sql, orgId, caller, input, { ...position, after })
  }
  const isPlain = [input.status, input.search, input.tag].every((given) => given === undefined)
  if (isPlain) return listProjects(sql, orgId, caller, input, position)
  const ids = await find({ sql, caller }, input, position)
  return ids ? listByIds(sql, orgId, caller, ids) : listProjects(sql, orgId, caller, input, position)
}

/**
 * The ids of what is looked for. What is common mostly comes soon in the order of the list, and what is rare is looked
 * up; null for what is common but comes late, which only the whole way along the list finds.
 */
async function find({ sql, caller }: Asked, wanted: Wanted, position: Position): Promise<string[] | null> {
  const { orgId } = caller
  const { ids, isWhole } = await findAlong(sql, orgId, caller, wanted, { ...position, steps: STEPS })
  if (isWhole || ids.length === position.limit) return ids
  return findByIndex(sql, orgId, caller, wanted, { ...position, most: RARE_MAX })
}

/** Only asked where nothing was found, since there is nothing to find in a workspace that the caller does not see. */
async function checkWorkspace({ sql, caller }: Context, id: string | undefined): Promise<void> {
  if (id === undefined || (await isWorkspaceSeen(sql, caller.orgId, caller, id))) return
  throw forbidden('You have no access to this workspace', { reason: 'no_workspace_access' })
}
