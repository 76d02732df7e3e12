import { createBatches } from '../../../../concurrency/batches.ts'
import { type Context, isOutsideAuthor } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { isTimeout } from '../../../../database/pg-errors.ts'
import { inTransaction, isInTransaction } from '../../../../database/transaction.ts'
import { isUuid } from '../../../../security/ids.ts'
import type { WriteResult } from './apply.ts'
import type { NewBlock } from './canvas-write.ts'
import { type Creation, createInTransaction } from './create-together.ts'
import { changeCanvas, type WriteCanvasOptions } from './write.ts'

const LIMITS = {
  running: 1,
  items: 32,
  bytes: 1_048_576,
  waitingItems: 2000,
  waitingBytes: 33_554_432,
  waitMs: 30_000,
}

interface Item {
  creation: Creation
  bytes: number
}

/** The batches of each pool, or of each view of a pool that serves one organization. */
const batchesBySql = new WeakMap<Sql, ReturnType<typeof createBlockBatches>>()

const createBlockBatches = () =>
  createBatches<Item, PromiseSettledResult<WriteResult>>({
    name: 'new blocks',
    ...LIMITS,
    run: (_canvas, items) => createTogether(items.map(({ creation }) => creation)),
    isCausedByItem: () => false,
  })

/**
 * Creates a block. Creations on one canvas follow each other, so those that wait in this process share a transaction: it
 * waits for the lock and for the disk once. Each has its own access check, result, history entry and event.
 */
export async function createBlock(
  ctx: Context,
  projectRef: string,
  block: NewBlock,
  options: WriteCanvasOptions,
): Promise<WriteResult> {
  const creation = { ctx, projectId: projectRef.toLowerCase(), block, options }
  // The transaction of an untrusted author is marked as theirs, so nobody shares it.
  if (isInTransaction(ctx.sql) || !isUuid(projectRef) || isOutsideAuthor(ctx.caller))
    return createAlone(creation)
  const batches = batchesBySql.get(ctx.sql) ?? createBlockBatches()
  batchesBySql.set(ctx.sql, batches)
  const canvas = `${ctx.caller.orgId} ${creation.projectId}`
  const result = await batches.add(canvas, { creation, bytes: block.content?.length ?? 0 })
  if (result.status === 'rejected') throw result.reason
  return result.value
}

const createAlone = ({ ctx, projectId, block, options }: Creation) =>
  changeCanvas(ctx, projectId, { create: { blocks: [block] } }, options)

/** After a failure that belongs to no single creation, each of them runs alone. */
async function createTogether(creations: Creation[]): Promise<PromiseSettledResult<WriteResult>[]> {
  const [first] = creations
  if (creations.length === 1) return Promise.allSettled([createAlone(first!)])
  let isCommitting = false
  try {
    return await inTransaction(first!.ctx.sql, async (sql) => {
      const results = await createInTransaction(first!, creations, sql)
      isCommitting = true
      return results
    })
  } catch (error) {
    // Whether a failed commit took effect is unknown. After a timeout, usually of the lock, each would time out again.
    if (isCommitting || isTimeout(error)) throw error
    return Promise.allSettled(creations.map(createAlone))
  }
}
