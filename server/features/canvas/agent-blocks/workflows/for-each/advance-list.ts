import type { Context } from '../../../../../context.ts'
import { ApiError } from '../../../../../errors.ts'
import type { ModelChoices } from '../../../../../language-models/models.ts'
import { newId } from '../../../../../security/ids.ts'
import { type EngineRun, requireRunnableAgent } from '../../../../agents/runs/runs.ts'
import { selectRowItems } from '../../../../projects/tables/tables.ts'
import type { BlockInput } from '../../compose-message.ts'
import type { ForEach } from '../../steps.ts'
import { blockName } from '../block-name.ts'
import { readRunOutput } from '../outputs.ts'
import type { WorkflowNode } from '../workflow-queries.ts'
import * as queries from './list-queries.ts'
import { listNextPage } from './sources.ts'
import { startItemRun } from './start-item.ts'
import { storeResult } from './store-result.ts'

export interface ListStep {
  models: ModelChoices
  /** With the starter's current permissions. */
  ctx: Context<'quotas'>
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
  const isData = await isUntrusted(ctx, run, node.forEach!.over, source)
  await queries.insertList(ctx.sql, run.orgId, {
    id: newId(),
    runId: run.id,
    blockId: node.blockId,
    preview,
    isData,
    now: ctx.now(),
  })
}

async function isUntrusted(
  ctx: Context,
  { projectId }: EngineRun,
  over: ForEach['over'],
  source: ListStep['source'],
): Promise<boolean> {
  if (over.from === 'output') return (await source()).isData
  return over.from === 'rows' && (await selectRowItems(ctx, projectId, over)).isOutside
}

/** Records ended items, lists the next page, then starts items. Part of the transaction that advances the workflow. */
export async function advanceList(step: ListStep): Promise<ListProgress> {
  const { ctx, run, node } = step
  const find = async () => (await queries.findList(ctx.sql, run.orgId, run.id, node.blockId))!
  let list = await find()
  await collectEnded(ctx, run, node, list)
  const fault = list.cursor === null ? null : await listItems(step, list)
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

function endOf(
  { forEach }: WorkflowNode,
  { total, failed }: queries.ListRow,
): NonNullable<ListProgress['end']> {
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

async function collectEnded(
  ctx: Context<'quotas'>,
  run: EngineRun,
  { forEach }: WorkflowNode,
  list: queries.ListRow,
): Promise<void> {
  for (const item of await queries.listEndedItems(ctx.sql, run.orgId, list.id)) {
    const output = item.status === 'succeeded' ? await readRunOutput(ctx.sql, run.orgId, item.runId) : null
    const error =
      item.status === 'succeeded'
        ? await storeResult(ctx, run, { over: forEach!.over, item, output })
        : item.status === 'canceled'
          ? 'Its run was canceled'
          : item.error
    await queries.endItem(ctx.sql, run.orgId, list.id, {
      n: item.n,
      state: item.status === 'succeeded' && error === null ? 'done' : 'failed',
      output,
      error,
      cost: item.cost,
      runId: item.runId,
      isUntrusted: item.trust !== 'trusted',
      now: ctx.now(),
    })
  }
}

/** Returns why the list can't be read, such as a deleted table. */
async function listItems(
  { ctx, run, node, source }: ListStep,
  list: queries.ListRow,
): Promise<string | null> {
  try {
    return await listNextPage(ctx, run, { over: node.forEach!.over, list, source })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.message
  }
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
      isCode: node.isCode,
    }
    for (const item of items)
      await startItemRun(ctx, { run, agent, block, inputs, over: node.forEach!.over, list }, item)
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
