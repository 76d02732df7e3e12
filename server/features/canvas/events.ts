import type { Context } from '../../context.ts'
import { type ProjectRow, publishOfProject } from '../projects/projects.ts'
import type { NewChange } from './write-queries.ts'

/** Of a change to many blocks the event names the first of them, and says how many there are. */
const NAMED_MAX = 100
const ACTIONS = ['created', 'updated', 'moved', 'deleted'] as const

/** One event for each kind of change to blocks, however many blocks that is. */
export async function publishChanges(
  ctx: Context,
  project: ProjectRow,
  changes: readonly NewChange[],
  runId: string | null,
): Promise<void> {
  const blocks = changes.filter(({ entity }) => entity === 'block')
  for (const action of ACTIONS) {
    const ids = blocks.filter((change) => change.action === action).map(({ itemId }) => itemId)
    if (ids.length === 0) continue
    const more = { blockIds: ids.slice(0, NAMED_MAX), count: ids.length, runId }
    await publishOfProject(ctx, `project.block.${action}`, project, more)
  }
}
