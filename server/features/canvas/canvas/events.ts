import type { Context } from '../../../context.ts'
import { type ProjectRow, publishProjectEvent } from '../../projects/projects/projects.ts'
import type { BlockFields, BlockRow } from './records.ts'
import type { NewChange } from './write/history-entries.ts'

/** Larger events list only the first ids. */
const LISTED_IDS_MAX = 100
const ACTIONS = ['created', 'updated', 'moved', 'deleted'] as const
const TASK_ACTIONS = ['created', 'updated', 'completed'] as const

interface AppliedChanges {
  changes: readonly NewChange[]
  /** Removed blocks may be missing. */
  blocks: readonly Pick<BlockRow, 'id' | 'type'>[]
  runId: string | null
}

/** Publishes one event per kind of change. Separate task events spare task subscribers from filtering block events. */
export async function publishChanges(
  ctx: Context,
  project: ProjectRow,
  { changes, blocks, runId }: AppliedChanges,
): Promise<void> {
  const blockChanges = changes.filter(({ entity }) => entity === 'block')
  const tasks = new Set(blocks.filter(({ type }) => type === 'task').map(({ id }) => id))
  const taskChanges = blockChanges.filter(({ itemId }) => tasks.has(itemId))
  const idsOf = (all: readonly NewChange[]) => {
    const ids = all.map(({ itemId }) => itemId)
    return { ids: ids.slice(0, LISTED_IDS_MAX), count: ids.length }
  }
  const events = [
    ...ACTIONS.map((action) => {
      const { ids, count } = idsOf(blockChanges.filter((change) => change.action === action))
      return { type: `project.block.${action}` as const, data: { blockIds: ids, count, runId } }
    }),
    ...TASK_ACTIONS.map((action) => {
      const { ids, count } = idsOf(taskChanges.filter((change) => taskActionOf(change) === action))
      return { type: `task.${action}` as const, data: { taskIds: ids, count, runId } }
    }),
  ]
  await Promise.all(
    events
      .filter(({ data }) => data.count > 0)
      .map(({ type, data }) => publishProjectEvent(ctx, type, project, data)),
  )
}

/** Moving or deleting a task publishes no task event. */
function taskActionOf({ action, ...change }: NewChange): (typeof TASK_ACTIONS)[number] | null {
  if (action === 'moved' || action === 'deleted') return null
  const [before, after] = [change.before, change.after] as (Partial<BlockFields> | undefined)[]
  if (action === 'created' || after?.type === 'task') return 'created'
  return isDone(after) && !isDone(before) ? 'completed' : 'updated'
}

const isDone = (fields: Partial<BlockFields> | undefined) => fields?.metadata?.done === true
