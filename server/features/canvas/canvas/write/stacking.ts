import { ORDER_MAX } from '../../../../../contract/canvas/block-fields.ts'
import type { NormalizedWrite, StackedWrite } from './canvas-write.ts'
import type { BlockPlan } from './plan.ts'

/** Places new blocks without a stacking order above all others, in the order of the write. */
export function stackNewBlocks(write: NormalizedWrite, { zIndexMax }: { zIndexMax: number }): StackedWrite {
  let top = zIndexMax
  const blocks = write.create.blocks.map((block) => {
    if (block.zIndex !== undefined) return { ...block, zIndex: block.zIndex }
    top = Math.min(top + 1, ORDER_MAX)
    return { ...block, zIndex: top }
  })
  return { ...write, create: { ...write.create, blocks } }
}

/** The highest stacking order after the change. It never decreases, so removing a block costs no search. */
export const highestOrder = (zIndexMax: number, { created, updated }: BlockPlan): number =>
  [...created, ...updated.map(({ change }) => change)].reduce(
    (highest, { zIndex = highest }) => Math.max(highest, zIndex),
    zIndexMax,
  )
