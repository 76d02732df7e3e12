import type { canvas } from '../../../../contract/canvas/canvas.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { changeCanvas } from './write/write.ts'

/** Moves all blocks or none, and returns them in the order of the request. */
export async function move(ctx: Context, { projectId, positions, runId }: InputOf<typeof canvas.move>) {
  const fieldOf = (_verb: string, _table: string, index: number) => `body.positions.${index}`
  const write = { update: { blocks: positions } }
  const { blocks, seq } = await changeCanvas(ctx, projectId, write, { runId, fieldOf })
  const byId = new Map(blocks.map((block) => [block.id, block]))
  return { items: positions.map(({ id }) => byId.get(id.toLowerCase())!), seq }
}
