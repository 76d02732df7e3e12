import { createBatches } from '../../../../concurrency/batches.ts'
import { type Context, isOutsideAuthor } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { isTimeout } from '../../../../database/pg-errors.ts'
import { inTransaction, isInTransaction } from '../../../../database/transaction.ts'
import { ApiError } from '../../../../errors.ts'
import { isUuid } from '../../../../security/ids.ts'
import { lockProject, type ProjectRow } from '../../../projects/projects/projects.ts'
import { acceptPlan, publishRecorded, toWriteResult, type WriteResult, writeRecorded } from './apply.ts'
import {
  type AffectedItems,
  loadAffected,
  type NewBlock,
  type NormalizedWrite,
  normalizeIds,
} from './canvas-write.ts'
import type { RecordedPlan } from './record.ts'
import {
  assignCallerRun,
  changeCanvas,
  checkReferences,
  planWrite,
  type WriteCanvasOptions,
} from './write.ts'

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

/** Per pool, or per organization's view of a pool. */
const batchesBySql = new WeakMap<Sql, ReturnType<typeof createBlockBatches>>()

const createBlockBatches = () =>
  createBatches<Item, PromiseSettledResult<WriteResult>>({
    name: 'new blocks',
    ...LIMITS,
    run: (_canvas, items) => createTogether(items.map(({ creation }) => creation)),
    isCausedByItem: () => false,
  })

/**
 * Waiting creations share a transaction, and so wait for the lock and disk once. Each has its own access check, result,
 * history entry and event.
 */
export async function createBlock(
  ctx: Context<'quotas'>,
  projectRef: string,
  block: NewBlock,
  options: WriteCanvasOptions,
): Promise<WriteResult> {
  const creation = { ctx, projectId: projectRef.toLowerCase(), block, options }
  // An untrusted author's transaction is marked, so nobody shares it.
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

/** Each runs alone after a shared failure. */
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
    // A failed commit may have taken effect. After a timeout, each would time out again.
    if (isCommitting || isTimeout(error)) throw error
    return Promise.allSettled(creations.map(createAlone))
  }
}

interface Creation {
  ctx: Context<'quotas'>
  projectId: string
  block: NewBlock
  options: WriteCanvasOptions
}

interface JoinedCreation {
  inside: Context<'quotas'>
  confirm: () => Promise<void>
  write: NormalizedWrite
  options: WriteCanvasOptions
}

interface AcceptedCreation {
  creation: JoinedCreation
  recorded: RecordedPlan
  result: WriteResult
}

/** Refuses invalid creations individually. Rejects if everything must be rolled back. */
async function createInTransaction(
  { ctx, projectId }: Creation,
  creations: readonly Creation[],
  transaction: Sql,
): Promise<PromiseSettledResult<WriteResult>[]> {
  const joinedCreations = creations.map(
    (creation): JoinedCreation => ({
      ...creation.ctx.join(transaction),
      write: normalizeIds({ create: { blocks: [creation.block] } }),
      options: assignCallerRun(creation.ctx.caller, creation.options),
    }),
  )
  const newBlocks = joinedCreations.flatMap(({ write }) => write.create.blocks)
  // In order: the rows are read after the lock.
  const [projects, affected] = await Promise.all([
    Promise.allSettled(joinedCreations.map(({ inside }) => lockProject(inside, projectId))),
    loadAffected(transaction, ctx.caller.orgId, projectId, normalizeIds({ create: { blocks: newBlocks } })),
  ])
  const project = projects.find((found) => found.status === 'fulfilled')?.value
  const references = await Promise.allSettled(
    joinedCreations.map(
      async ({ inside, write, options }) =>
        project && checkReferences(inside, project, write, affected, options),
    ),
  )
  const now = ctx.now()
  const outcomes: PromiseSettledResult<AcceptedCreation>[] = []
  for (const [index, creation] of joinedCreations.entries()) {
    const acceptNext = async () => {
      requireFulfilled(projects[index]!)
      return accept(project!, creation, affected, references[index]!, now)
    }
    outcomes.push(...(await Promise.allSettled([acceptNext()])))
  }
  const failure = outcomes.find(
    (outcome) => outcome.status === 'rejected' && !(outcome.reason instanceof ApiError),
  )
  if (failure) requireFulfilled(failure)
  const accepted = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  if (accepted.length > 0) await writeAccepted(project!, accepted, now)
  return outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? { status: 'fulfilled', value: outcome.value.result } : outcome,
  )
}

/** Each builds on the previous one's canvas. */
async function accept(
  project: ProjectRow,
  creation: JoinedCreation,
  affected: AffectedItems,
  references: PromiseSettledResult<unknown>,
  now: Date,
): Promise<AcceptedCreation> {
  const { inside, write, options } = creation
  const plan = planWrite(project, write, affected, options)
  requireFulfilled(references)
  const recorded = await acceptPlan(inside, project, plan, { runId: options.runId ?? null, now })
  for (const { id, type, parentId } of recorded.blocks.created) affected.hierarchy.set(id, { type, parentId })
  return { creation, recorded, result: toWriteResult(project, plan, recorded) }
}

async function writeAccepted(
  project: ProjectRow,
  accepted: readonly AcceptedCreation[],
  now: Date,
): Promise<void> {
  const [{ creation, recorded: first }] = accepted as [AcceptedCreation]
  const created = accepted.flatMap(({ recorded }) => recorded.blocks.created)
  const entries = accepted.flatMap(({ recorded }) => recorded.entries)
  await Promise.all([
    writeRecorded(creation.inside, project, { ...first, blocks: { ...first.blocks, created }, entries }, now),
    ...accepted.map(({ creation: { inside, options }, recorded }) =>
      publishRecorded(inside, project, recorded, options.runId ?? null),
    ),
  ])
  await Promise.all(accepted.map(({ creation: { confirm } }) => confirm()))
}

function requireFulfilled(outcome: PromiseSettledResult<unknown>): void {
  if (outcome.status === 'rejected') throw outcome.reason
}
