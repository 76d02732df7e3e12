import type { Sql } from '../../database/database.ts'
import type { Position } from './list-queries.ts'
import { findAlong, findBelow, findByIndex, findInOrder, isSmall, type Wanted } from './search-queries.ts'

/** Looking at this much is quicker than looking anything up. */
const SMALL = { folders: 500, files: 5000 }
const STEPS = 3000
/** What is found more often than this is too common to be looked up and then sorted. */
const RARE_MAX = 5000

/**
 * The ids of a page of what is wanted, in order. No one way is short for all: a small folder is looked through; in a
 * large one what is common mostly comes soon in the order of the list, and what is rare is looked up by index. Only
 * what is common but comes late in the order is waited for.
 */
export async function search(sql: Sql, orgId: string, wanted: Wanted, position: Position): Promise<string[]> {
  const isTrash = wanted.order === 'deleted'
  const isScoped = wanted.folder.id !== orgId
  if (isScoped && !isTrash && (await isSmall(sql, orgId, wanted, SMALL)))
    return findBelow(sql, orgId, wanted, position)
  const { ids, isWhole } = await findAlong(sql, orgId, wanted, position, STEPS)
  if (isWhole || ids.length === position.limit) return ids
  return (
    (await findByIndex(sql, orgId, wanted, position, RARE_MAX)) ?? findInOrder(sql, orgId, wanted, position)
  )
}
