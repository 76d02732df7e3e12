import type { canvas } from '../../../../contract/canvas/canvas.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import type { AffectedItems } from './write/load-affected.ts'
import { changeCanvas } from './write/write.ts'

export async function connect(
  ctx: Context,
  { projectId, runId, id = newId(), ...edge }: InputOf<typeof canvas.connect>,
) {
  const write = { create: { edges: [{ id, ...edge }] } }
  const { edges } = await changeCanvas(ctx, projectId, write, { runId, fieldOf: () => 'body' })
  return edges[0]!
}

export async function disconnect(
  ctx: Context,
  { projectId, edgeId, runId }: InputOf<typeof canvas.disconnect>,
) {
  const check = ({ edges }: AffectedItems) => {
    if (!edges.has(edgeId.toLowerCase())) throw notFound('Edge')
  }
  const write = { delete: { edges: [edgeId] } }
  await changeCanvas(ctx, projectId, write, { runId, runField: 'query.runId', check })
  return { deleted: true as const }
}
