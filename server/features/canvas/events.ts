import type { Context } from '../../context.ts'
import { type ProjectRow, publishProjectEvent } from '../projects/projects.ts'
import type { BlockFields, BlockRow } from './records.ts'
import type { NewChange } from './write/write-queries.ts'

/** Of a change to many blocks the event names the first of them, and says how many there are. */
const NAMED_MAX = 100
const ACTIONS = ['created', 'updated', 'moved', 'deleted'] as const
const TASK_ACTIONS = ['created', 'updated', 'completed'] as const

interface Changed {
  changes: readonly NewChange[]
  /** The blocks as they are now; those that were removed need not be among them. */
  blocks: readonly Pick<BlockRow, 'id' | 'type'>[]
  runId: string | null
}

/**
 * One event for each kind of change to blocks, however many blocks that is; and one for each kind of change to tasks, so
 * that whoever wants to know of tasks need not look at every block.
 */
export async function publishChanges(
  ctx: Context,
  project: ProjectRow,
  { changes, blocks, runId }: Changed,
): Promise<void> {
  const ofBlocks = changes.filter(({ entity }) => entity === 'block')
  const tasks = new Set(blocks.filter(({ type }) => type === 'task').map(({ id }) => id))
  const ofTasks = ofBlocks.filter(({ itemId }) => tasks.has(itemId))
  const idsOf = (all: readonly NewChange[]) => {
    const ids = all.map(({ itemId }) => itemId)
    return { ids: ids.slice(0, NAMED_MAX), count: ids.length }
  }
  const told = [
    ...ACTIONS.map((action) => {
      const { ids, count } = idsOf(ofBlocks.filter((change) => change.action === action))
      return { type: `project.block.${action}` as const, data: { blockIds: ids, count, runId } }
    }),
    ...TASK_ACTIONS.map((action) => {
      const { ids, count } = idsOf(ofTasks.filter((change) => taskActionOf(change) === action))
      return { type: `task.${action}` as const, data: { taskIds: ids, count, runId } }
    }),
  ]
  await Promise.all(
    told
      .filter(({ data }) => data.count > 0)
      .map(({ type, data }) => publishProjectEvent(ctx, type, project, data)),
  )
}

/** What a change to a block means for the task that it is; where it stands is nothing to the task. */
function taskActionOf({ action, ...change }: NewChange): (typeof TASK_ACTIONS)[number] | null {
  if (action === 'moved' || action === 'deleted') return null
  const [before, after] = [change.before, change.after] as (Partial<BlockFields> | undefined)[]
  if (action === 'created' || after?.type === 'task') return 'created'
  return isDone(after) && !isDone(before) ? 'completed' : 'updated'
}

const isDone = (fields: Partial<BlockFields> | undefined) => fields?.metadata?.done === true
