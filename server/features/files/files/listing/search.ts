import type { Sql } from '../../../../database/database.ts'
import type { Viewer } from '../../../projects/access/access.ts'
import type { Position } from './list-queries.ts'
import {
  estimateMatches,
  type FoundPage,
  findByIndex,
  isSmallSubtree,
  type ScanLimits,
  type SearchFilter,
  scanFolders,
  scanPage,
  scanSubtree,
} from './search-queries.ts'

/** Faster to scan than any index lookup. */
const SMALL_SUBTREE = { folders: 500, files: 5000 }
/** Faster to scan than the whole list. */
const MEDIUM_SUBTREE = { folders: 2000, files: 20_000 }
/** Each folder's first files are scanned in its own order, not in list order. */
const FEW_FOLDERS = { folders: 8, files: 3000 }
/** Without a search or tag, only hidden records are skipped, so a few pages suffice. */
const UNFILTERED_SCAN_PAGES = 4

export interface SearchLimits {
  scan: ScanLimits
  /** An index finds this many matches faster than a scan reads the names before them. */
  rareMatches: number
  /** The index may find this many matches. More aren't sorted. */
  indexMatches: number
  /** Scanned in list order before the page ends early. */
  lateScan: ScanLimits
}

export const SEARCH_LIMITS: SearchLimits = {
  scan: { names: 3000, records: 3000 },
  rareMatches: 2500,
  indexMatches: 15_000,
  lateScan: { names: 50_000, records: 5000 },
}

/**
 * No single plan is fast for every search, so this tries several: scan a small subtree, or the beginning of a few large
 * folders; scan the list's beginning for common matches; find matches by index, if a sample shows that they are rare;
 * scan the few folders of a member who sees little of a large tree; scan further. For common matches far down the list,
 * each call scans one part, and the cursor continues after it.
 */
export async function search(
  sql: Sql,
  viewer: Viewer,
  filter: SearchFilter,
  position: Position,
  limits = SEARCH_LIMITS,
): Promise<FoundPage> {
  const isTrash = filter.order === 'deleted'
  const isScoped = filter.folder.id !== viewer.orgId
  const scanIfSmall = async (subtree: typeof SMALL_SUBTREE) =>
    (await isSmallSubtree(sql, viewer, filter, subtree)) ? scanSubtree(sql, viewer, filter, position) : null
  const inSubtree = isScoped && !isTrash ? await scanIfSmall(SMALL_SUBTREE) : null
  if (inSubtree) return complete(inSubtree)
  const isFiltered = filter.search !== undefined || filter.tag !== undefined
  const fewFolders = { ...FEW_FOLDERS, files: position.offset + FEW_FOLDERS.files }
  const inFolders = isScoped && !isTrash ? await scanFolders(sql, viewer, filter, position, fewFolders) : null
  if (inFolders) return complete(inFolders)
  const unfilteredScan = position.limit * UNFILTERED_SCAN_PAGES
  const start = await scanPage(
    sql,
    viewer,
    filter,
    position,
    isFiltered
      ? from(position, limits.scan)
      : from(position, { names: unfilteredScan, records: unfilteredScan }),
  )
  if (start.resume === null) return start
  const matches = isFiltered ? await estimateMatches(sql, viewer.orgId, filter) : Number.POSITIVE_INFINITY
  const isRare = matches <= limits.rareMatches
  const byIndex = () => findByIndex(sql, viewer, filter, position, limits.indexMatches)
  const found =
    (isRare ? await byIndex() : null) ??
    (viewer.role === 'member' || (isScoped && !isTrash) ? await scanIfSmall(MEDIUM_SUBTREE) : null)
  if (found) return complete(found)
  const late = await scanPage(sql, viewer, filter, position, from(position, limits.lateScan))
  const isWorthIndex = late.resume !== null && !isRare && matches <= limits.indexMatches
  const foundLate = isWorthIndex ? await byIndex() : null
  return foundLate ? complete(foundLate) : late
}

const from = ({ offset }: Position, { names, records }: ScanLimits): ScanLimits => ({
  names: offset + names,
  records: offset + records,
})

const complete = (ids: string[]): FoundPage => ({ ids, resume: null })
