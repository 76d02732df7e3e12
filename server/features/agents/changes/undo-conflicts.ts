import type { z } from 'zod'
import type { UndoneItem as UndoneItemSchema } from '../../../../contract/agents/run-changes.ts'
import { ApiError } from '../../../errors.ts'

export type UndoneItem = z.output<typeof UndoneItemSchema>

/** An error about many items lists the first ones and the count. */
const LISTED_MAX = 100

/** Refuses an undo that would overwrite changes of others, or that cannot revert everything. */
export function refuseConflicts(items: readonly UndoneItem[]): void {
  const conflicts = items.filter(({ isConflict }) => isConflict)
  if (conflicts.length === 0) return
  const count = conflicts.length
  const listed = conflicts.slice(0, LISTED_MAX)
  throw new ApiError(
    'CONFLICT',
    `${count === 1 ? 'One item was' : `${count} items were`} changed since the run: send force=true to undo it anyway`,
    { details: { reason: 'edited_since', items: listed, count } },
  )
}
