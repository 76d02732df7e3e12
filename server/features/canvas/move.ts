import type { canvas } from '../../../contract/canvas/canvas.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import type { Context } from '../../context.ts'
import { changeCanvas } from './write/write.ts'

/** All of them or none. They are answered in the order in which they were named. */
export async function move(ctx: Context, { projectId, positions, runId }: InputOf<typeof canvas.move>) {
  const nameOf = (_verb: string, _table: string, index: number) => `body.positions.${index}`
  const write = { update: { blocks: positions } }
  const { blocks } = await changeCanvas(ctx, projectId, write, { runId, nameOf })
  const byId = new Map(blocks.map((block) => [block.id, block]))
  return { items: positions.map(({ id }) => byId.get(id.toLowerCase())!) }
}
