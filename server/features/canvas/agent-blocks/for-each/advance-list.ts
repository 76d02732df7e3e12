import type { Context } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import type { ModelChoices } from '../../../../language-models/models.ts'
import { newId } from '../../../../security/ids.ts'
import { type EngineRun, requireRunnableAgent } from '../../../agents/runs/runs.ts'
import type { BlockInput } from '../compose-message.ts'
import { blockName } from '../workflows/block-name.ts'
import type { WorkflowNode } from '../workflows/workflow-queries.ts'
import { readRunOutput } from '../workflows/outputs.ts'
import * as queries from './list-queries.ts'
import { nextPage } from './sources.ts'
import { startItemRun } from './start-item.ts'

export interface ListStep {
  models: ModelChoices
  /** With the starter's current permissions. */
  ctx: Context
  run: EngineRun
  node: WorkflowNode
  inputs: BlockInput[]
  /** What the list is made of; untrusted if its run is. */
  source: () => Promise<{ output: unknown; isData: boolean }>
}

export interface ListProgress {
  list: queries.ListRow
  /** Null while items run or can start. */
  end: { state: 'done' | 'failed'; error: string | null } | null
  /** `list`: more items to list. `preview`: a member has to continue. */
  waits: 'children' | 'list' | 'preview'
}

export async function openList({ ctx, run, node, source }: ListStep, preview: number | null): Promise<void> {
  const found = await queries.findList(ctx.sql, run.orgId, run.id, node.blockId)
  if (found) return
  const isData = node.forEach!.over.from === 'output' && (await source()).isData
  await queries.insertList(ctx.sql, run.orgId, {
    id: newId(),
    runId: run.id,
    blockId: node.blockId,
    preview,
    isData,
    now: ctx.now(),
  })
}

/** Records ended items, lists the next page, then starts items. Part of the transaction that advances the workflow. */
export async function advanceList(step: ListStep): Promise<ListProgress> {
  const { ctx, run, node } = step
  const find = async () => (await queries.findList(ctx.sql, run.orgId, run.id, node.blockId))!
  let list = await find()
  await collectEnded(ctx, run, list)
  const fault = list.cursor === null ? null : await listNextPage(step, list)
  list = await find()
  if (fault !== null) return { list, end: { state: 'failed', error: fault }, waits: 'children' }
  const stop = stopReason(node, list)
  if (stop === null && list.cursor === null) {
    const failure = await startNext(step, list)
    list = await find()
    if (failure !== null && list.running === 0)
      return { list, end: { state: 'failed', error: failure }, waits: 'children' }
  }
  if (list.running > 0) return { list, end: null, waits: 'children' }
  if (stop !== null) return { list, end: { state: 'failed', error: stop }, waits: 'children' }
  if (list.cursor !== null) return { list, end: null, waits: 'list' }
  const ended = list.done + list.failed
  if (ended < list.total) return { list, end: null, waits: isHeld(list) ? 'preview' : 'list' }
  return { list, end: endOf(node, list), waits: 'children' }
}

const isHeld = ({ preview, done, failed }: queries.ListRow) => preview !== null && done + failed >= preview

function endOf({ forEach }: WorkflowNode, { total, failed }: queries.ListRow): NonNullable<ListProgress['end']> {
  if (failed === 0 || forEach!.onFailure === 'ignore') return { state: 'done', error: null }
  return { state: 'failed', error: `${failed} of ${total} items failed` }
}

/** An item reserves what the others cost on average. */
function stopReason({ forEach }: WorkflowNode, list: queries.ListRow): string | null {
  const { onFailure, budget } = forEach!
  if (onFailure === 'stop' && list.failed > 0) return `Stopped after an item failed: ${progressOf(list)}`
  if (budget !== undefined && Number(list.spent) >= budget)
    return `The budget of $${budget} is used: ${progressOf(list)}`
  return null
}

const progressOf = ({ done, total }: queries.ListRow) => `${done} of ${total} items are done`

async function collectEnded(ctx: Context, run: EngineRun, list: queries.ListRow): Promise<void> {
  for (const item of await queries.listEndedItems(ctx.sql, run.orgId, list.id)) {
    const isDone = item.status === 'succeeded'
    await queries.endItem(ctx.sql, run.orgId, list.id, {
      n: item.n,
      state: isDone ? 'done' : 'failed',
      output: isDone ? await readRunOutput(ctx.sql, run.orgId, item.runId) : null,
      error: isDone ? null : item.status === 'canceled' ? 'Its run was canceled' : item.error,
      cost: item.cost,
      runId: item.runId,
      isUntrusted: item.trust !== 'trusted',
      now: ctx.now(),
    })
  }
}

/** Returns why the list can't be read. */
async function listNextPage(
  { ctx, run, node, source }: ListStep,
  list: queries.ListRow,
): Promise<string | null> {
  const page = await nextPage(ctx, run, { over: node.forEach!.over, cursor: list.cursor!, source, listed: list.total })
  if ('error' in page) return page.error
  await queries.insertItems(ctx.sql, run.orgId, list.id, page.items, page.cursor)
  return null
}

/** Returns why no item can start. */
async function startNext(step: ListStep, list: queries.ListRow): Promise<string | null> {
  const { models, ctx, run, node, inputs } = step
  const limit = startLimit(node, list)
  if (limit <= 0) return null
  const items = await queries.listQueuedItems(ctx.sql, run.orgId, list.id, { limit, before: list.preview })
  if (items.length === 0) return null
  try {
    const agent = await requireRunnableAgent(ctx, models, node.agentId)
    const block = {
      id: node.blockId,
      name: blockName({ title: node.title, content: node.instructions }),
      instructions: node.instructions,
      outputSchema: node.outputSchema,
    }
    for (const item of items) await startItemRun(ctx, { run, agent, block, inputs, list }, item)
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.message
  }
}

/** So that the items that run don't exceed the budget, as far as their average cost tells. */
function startLimit({ forEach }: WorkflowNode, { running, done, failed, spent }: queries.ListRow): number {
  const { concurrency, budget } = forEach!
  const free = concurrency - running
  const ended = done + failed
  if (budget === undefined || ended === 0 || Number(spent) === 0) return free
  const affordable = Math.floor((budget - Number(spent)) / (Number(spent) / ended)) - running
  return Math.min(free, Math.max(affordable, running === 0 ? 1 : 0))
}
