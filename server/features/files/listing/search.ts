import type { Sql } from '../../../database/database.ts'
import type { Viewer } from '../../project-access/project-access.ts'
import type { Position } from './list-queries.ts'
import {
  findByIndex,
  isSmallSubtree,
  type SearchFilter,
  scanAll,
  scanFolders,
  scanPage,
  scanSubtree,
} from './search-queries.ts'

/** Scanning a subtree of this size is faster than any index lookup. */
const SMALL_SUBTREE = { folders: 500, files: 5000 }
/** Scanning a subtree of this size is faster than scanning the whole list. */
const MEDIUM_SUBTREE = { folders: 2000, files: 20_000 }
const SCAN_MAX = 3000
/** A subtree with so few folders is scanned in its own order instead of that of the whole list. */
const FEW_FOLDERS = 8
/** Without a search or tag, only records that the viewer does not see are skipped, so a few pages suffice. */
const UNFILTERED_SCAN_PAGES = 4
/** Sorting more matches than this takes longer than scanning the list in order. */
const INDEX_MATCHES_MAX = 5000

/**
 * The ids of a page of matches, in order. No plan is fast for every search, so several are tried: scan a small subtree, or
 * the beginning of each of a few large folders; scan the beginning of the list, where common matches are; find rare matches
 * by index; scan the few folders of a member who sees little of a large tree. Only common matches far down the list need
 * the full scan.
 */
export async function search(
  sql: Sql,
  viewer: Viewer,
  filter: SearchFilter,
  position: Position,
): Promise<string[]> {
  const isTrash = filter.order === 'deleted'
  const isScoped = filter.folder.id !== viewer.orgId
  const scanIfSmall = async (limits: typeof SMALL_SUBTREE) =>
    (await isSmallSubtree(sql, viewer, filter, limits)) ? scanSubtree(sql, viewer, filter, position) : null
  const inSubtree = isScoped && !isTrash ? await scanIfSmall(SMALL_SUBTREE) : null
  if (inSubtree) return inSubtree
  const isFiltered = filter.search !== undefined || filter.tag !== undefined
  const fewFolders = { folders: FEW_FOLDERS, files: position.offset + SCAN_MAX }
  const inFolders = isScoped && !isTrash ? await scanFolders(sql, viewer, filter, position, fewFolders) : null
  if (inFolders) return inFolders
  const scanMax = position.offset + (isFiltered ? SCAN_MAX : position.limit * UNFILTERED_SCAN_PAGES)
  const { ids, isComplete } = await scanPage(sql, viewer, filter, position, scanMax)
  if (isComplete || ids.length === position.limit) return ids
  return (
    (isFiltered ? await findByIndex(sql, viewer, filter, position, INDEX_MATCHES_MAX) : null) ??
    (viewer.role === 'member' && (!isScoped || isTrash) ? await scanIfSmall(MEDIUM_SUBTREE) : null) ??
    scanAll(sql, viewer, filter, position)
  )
}
