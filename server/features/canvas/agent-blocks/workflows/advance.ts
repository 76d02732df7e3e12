import { type Context, createContext, type JobContext } from '../../../../context.ts'
import type { Models } from '../../../../language-models/models.ts'
import type { Sandbox } from '../../../../sandbox/sandbox.ts'
import {
  accessLost,
  append,
  type EngineRun,
  endRun,
  findRunCaller,
  type StepEnd,
  wait,
} from '../../../agents/runs/runs.ts'
import { lockForRuntime } from '../../../projects/projects/projects.ts'
import { blockName } from './block-name.ts'
import { evaluateConditions, findPending, type Verdict } from './conditions.ts'
import { advanceList, type ListProgress } from './for-each/advance-list.ts'
import { showList } from './for-each/show-list.ts'
import { planNext } from './graph.ts'
import { readOutput } from './outputs.ts'
import { type ShownState, showStates } from './show-states.ts'
import { findNode, type NodeContext, readInputs, readSource, startNode } from './start-node.ts'
import { advanceStep } from './steps/advance-step.ts'
import { listNodes, updateNode, type WorkflowNode } from './workflow-queries.ts'

/**
 * Records ended runs, starts blocks with complete inputs, then waits or ends. One transaction, so a crash leaves all or
 * nothing. Conditions are evaluated before it, because outputs of blocks that are done don't change.
 */
export async function advanceWorkflow(
  { models, sandbox }: { models: Models; sandbox: () => Sandbox },
  ctx: JobContext<'quotas'>,
  run: EngineRun,
): Promise<StepEnd> {
  const choices = await models.choices(run.orgId)
  const verdicts = await judge(sandbox, ctx, run)
  return ctx.transaction(async (inside) => {
    const { sql } = inside
    const now = ctx.now()
    const { isCancelRequested } = await append(sql, run, [], now, { isSuccess: true })
    if (isCancelRequested) return 'next'
    const nodes = (await listNodes(sql, run.orgId, run.id)).map(withEnd)
    if (nodes.some(writesRows)) await lockForRuntime(sql, run.orgId, run.projectId)
    const env: NodeContext = { models: choices, ctx: await contextOf(inside, run), run, nodes }
    const shown = new Map<string, ShownState>()
    for (const verdict of verdicts) apply(verdict, findNode(nodes, verdict.blockId), shown)
    const lists: ListProgress[] = []
    let actions = planNext(nodes.map(toPlannedNode))
    do {
      for (const { blockId, reason } of actions.skip) {
        Object.assign(findNode(nodes, blockId), { state: 'skipped', skipReason: reason })
        shown.set(blockId, { status: 'skipped' })
      }
      for (const blockId of actions.start) shown.set(blockId, await startNode(env, findNode(nodes, blockId)))
      actions = planNext(nodes.map(toPlannedNode))
    } while (actions.start.length + actions.skip.length > 0)
    for (const node of nodes.filter(({ state, step }) => state === 'running' && step !== null)) {
      const state = await advanceStep(env.ctx, run, node)
      if (state) shown.set(node.blockId, { ...shown.get(node.blockId), ...state })
    }
    for (const node of nodes.filter(({ state, forEach }) => state === 'running' && forEach !== null)) {
      const progress = await advanceList({
        ...env,
        node,
        inputs: await readInputs(env, node),
        source: () => readSource(env, node),
      })
      lists.push(progress)
      if (progress.end) Object.assign(node, progress.end)
      const state = await showList(env, node, progress, shown.has(node.blockId))
      if (state) shown.set(node.blockId, state)
    }
    for (const node of nodes) await updateNode(sql, run.orgId, run.id, node)
    await showStates(inside, run, shown)
    return endOrWait(inside, run, nodes, lists)
  })
}

async function endOrWait(
  ctx: JobContext,
  run: EngineRun,
  nodes: readonly WorkflowNode[],
  lists: readonly ListProgress[],
): Promise<StepEnd> {
  const { start, skip, end } = planNext(nodes.map(toPlannedNode))
  const canContinue = start.length + skip.length + findPending(nodes).length > 0
  if (canContinue || lists.some(({ end: ended, waits }) => ended === null && waits === 'list')) return 'next'
  if (end !== null)
    return endRun(ctx.sql, run, end === 'failed' ? failureOf(nodes) : { status: 'succeeded' }, [], ctx.now())
  const running = nodes.filter(({ state }) => state === 'running')
  const wakes = running.flatMap(({ wakeAt }) => (wakeAt === null ? [] : [new Date(wakeAt).getTime()]))
  return wait(ctx, run, reasonFor(running, lists), wakes.length > 0 ? new Date(Math.min(...wakes)) : null)
}

/** Names what a member can do something about, if no block works. */
function reasonFor(running: readonly WorkflowNode[], lists: readonly ListProgress[]) {
  const open = lists.filter(({ end }) => end === null)
  const steps = running.flatMap(({ step }) => step ?? [])
  const isHeld = open.every(({ waits }) => waits === 'preview')
  if (open.length + steps.length < running.length || !isHeld) return 'child'
  if (steps.some(({ type }) => type === 'form')) return 'form'
  if (open.length > 0) return 'preview'
  return steps.some((step) => step.type === 'wait' && step.event) ? 'event' : 'time'
}

async function judge(sandbox: () => Sandbox, { sql }: JobContext, run: EngineRun): Promise<Verdict[]> {
  const nodes = (await listNodes(sql, run.orgId, run.id)).map(withEnd)
  if (findPending(nodes).length === 0) return []
  return evaluateConditions(sandbox(), run.orgId, nodes, (node) => readOutput(sql, run.orgId, run.id, node))
}

/** A condition that fails also fails its block. */
function apply({ edge, isOpen, error }: Verdict, node: WorkflowNode, shown: Map<string, ShownState>): void {
  node.incoming[edge]!.isOpen = isOpen
  if (error === null || node.state !== 'queued') return
  Object.assign(node, { state: 'failed', error })
  shown.set(node.blockId, { status: 'failed', error })
}

const ENDS = { succeeded: 'done', failed: 'failed', canceled: 'canceled' } as const

function withEnd(node: WorkflowNode): WorkflowNode {
  const { state, childStatus, childError } = node
  if (state !== 'running' || childStatus === null || !(childStatus in ENDS)) return node
  return { ...node, state: ENDS[childStatus as keyof typeof ENDS], error: childError }
}

/** A project is locked before its tables. */
const writesRows = ({ state, forEach }: WorkflowNode) =>
  state === 'running' && forEach?.over.from === 'rows' && Object.keys(forEach.over.results).length > 0

const toPlannedNode = ({ blockId, state, skipReason, incoming }: WorkflowNode) => ({
  blockId,
  state,
  skipReason,
  incoming: incoming
    .filter(({ isInside }) => isInside)
    .map(({ from, condition, isOpen }) => ({ from, isOpen: condition === null || isOpen })),
})

/** Uses the starter's current permissions. */
async function contextOf(ctx: JobContext<'quotas'>, run: EngineRun): Promise<Context<'quotas'>> {
  const caller = await findRunCaller(ctx.sql, run)
  if (!caller) throw accessLost()
  return createContext({ ...ctx, caller })
}

function failureOf(nodes: readonly WorkflowNode[]) {
  const { title, instructions, error, state } = nodes.find(
    (node) => node.state === 'failed' || node.state === 'canceled',
  )!
  const name = blockName({ title, content: instructions })
  const detail = state === 'canceled' ? `The run for ${name} was canceled` : `${name} failed: ${error}`
  return { status: 'failed' as const, code: 'workflow_failed' as const, detail }
}
