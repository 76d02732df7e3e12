import type { Sql } from '../../../database/database.ts'
import type { Viewer } from '../../project-access/project-access.ts'
import type { Position } from './list-queries.ts'
import {
  findByIndex,
  isSmallSubtree,
  type SearchFilter,
  scanAll,
  scanPage,
  scanSubtree,
} from './search-queries.ts'

/** Looking at this much is quicker than looking anything up. */
const SMALL = { folders: 500, files: 5000 }
/** Looking at this much is quicker than looking at everything. */
const LITTLE = { folders: 2000, files: 20_000 }
const STEPS = 3000
/** The same for a list in which nothing is looked for: what is left out is only what the viewer may not see. */
const PLAIN_PAGES = 4
/** What is found more often than this is too common to be looked up and then sorted. */
const RARE_MAX = 5000

/**
 * The ids of a page of what is wanted, in order. No one way is short for all: a small folder is looked through; in a
 * large one what is common mostly comes soon in the order of the list, and what is rare is looked up by index; somebody
 * who sees little of a large tree has that little looked through. Only what is common but comes late in the order is
 * waited for.
 */
export async function search(
  sql: Sql,
  viewer: Viewer,
  wanted: SearchFilter,
  position: Position,
): Promise<string[]> {
  const isTrash = wanted.order === 'deleted'
  const isScoped = wanted.folder.id !== viewer.orgId
  const lookThrough = async (most: typeof SMALL) =>
    (await isSmallSubtree(sql, viewer, wanted, most)) ? scanSubtree(sql, viewer, wanted, position) : null
  const below = isScoped && !isTrash ? await lookThrough(SMALL) : null
  if (below) return below
  const isNamed = wanted.search !== undefined || wanted.tag !== undefined
  const steps = position.offset + (isNamed ? STEPS : position.limit * PLAIN_PAGES)
  const { ids, isWhole } = await scanPage(sql, viewer, wanted, position, steps)
  if (isWhole || ids.length === position.limit) return ids
  return (
    (isNamed ? await findByIndex(sql, viewer, wanted, position, RARE_MAX) : null) ??
    (viewer.role === 'member' && (!isScoped || isTrash) ? await lookThrough(LITTLE) : null) ??
    scanAll(sql, viewer, wanted, position)
  )
}
