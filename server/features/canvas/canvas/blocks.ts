import type { canvas } from '../../../../contract/canvas/canvas.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { notFound, raise, stale } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { createBlock } from './write/combined-creations.ts'
import type { AffectedItems } from './write/load-affected.ts'
import { changeCanvas } from './write/write.ts'

const fieldOf = () => 'body'

export async function create(
  ctx: Context,
  { projectId, runId, id = newId(), ...fields }: InputOf<typeof canvas.create>,
) {
  const { blocks } = await createBlock(ctx, projectId, { id, ...fields }, { runId, fieldOf })
  return blocks[0]!
}

export async function update(
  ctx: Context,
  { projectId, blockId, runId, ifMatch, ...fields }: InputOf<typeof canvas.update>,
) {
  const write = { update: { blocks: [{ ...fields, id: blockId }] } }
  const check = (affected: AffectedItems) => {
    const { version } = requireBlock(affected, blockId)
    if (ifMatch !== undefined && ifMatch !== String(version)) throw stale()
  }
  const { blocks } = await changeCanvas(ctx, projectId, write, { runId, fieldOf, check })
  return reply(blocks[0]!, { version: blocks[0]!.version })
}

/** Removes its edges too; the blocks of a removed group stay on the canvas. */
export async function remove(ctx: Context, { projectId, blockId, runId }: InputOf<typeof canvas.remove>) {
  const write = { delete: { blocks: [blockId] } }
  const check = (affected: AffectedItems) => void requireBlock(affected, blockId)
  await changeCanvas(ctx, projectId, write, { runId, runField: 'query.runId', check })
  return { deleted: true as const }
}

const requireBlock = ({ blocks }: AffectedItems, id: string) =>
  blocks.get(id.toLowerCase()) ?? raise(notFound('Block'))
