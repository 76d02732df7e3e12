import type { canvas } from '../../../../contract/canvas/canvas.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { notFound, raise, stale } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { projectFiles, read } from '../../files/files/files.ts'
import { findProject } from '../../projects/projects/projects.ts'
import type { AffectedItems } from './write/canvas-write.ts'
import { createBlock } from './write/create-block.ts'
import { listBlocksById } from './write/queries.ts'
import { changeCanvas } from './write/write.ts'

const fieldOf = () => 'body'

export async function create(
  ctx: Context<'quotas'>,
  { projectId, runId, id = newId(), ...fields }: InputOf<typeof canvas.create>,
) {
  const { blocks } = await createBlock(ctx, projectId, { id, ...fields }, { runId, fieldOf })
  return blocks[0]!
}

export async function update(
  ctx: Context<'quotas'>,
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

/** Removes its edges too. A removed group's blocks stay on the canvas. */
export async function remove(
  ctx: Context<'quotas'>,
  { projectId, blockId, runId }: InputOf<typeof canvas.remove>,
) {
  const write = { delete: { blocks: [blockId] } }
  const check = (affected: AffectedItems) => void requireBlock(affected, blockId)
  await changeCanvas(ctx, projectId, write, { runId, runField: 'query.runId', check })
  return { deleted: true as const }
}

const requireBlock = ({ blocks }: AffectedItems, id: string) =>
  blocks.get(id.toLowerCase()) ?? raise(notFound('Block'))

export async function connect(
  ctx: Context<'quotas'>,
  { projectId, runId, id = newId(), ...edge }: InputOf<typeof canvas.connect>,
) {
  const write = { create: { edges: [{ id, ...edge }] } }
  const { edges } = await changeCanvas(ctx, projectId, write, { runId, fieldOf: () => 'body' })
  return edges[0]!
}

export async function disconnect(
  ctx: Context<'quotas'>,
  { projectId, edgeId, runId }: InputOf<typeof canvas.disconnect>,
) {
  const check = ({ edges }: AffectedItems) => {
    if (!edges.has(edgeId.toLowerCase())) throw notFound('Edge')
  }
  const write = { delete: { edges: [edgeId] } }
  await changeCanvas(ctx, projectId, write, { runId, runField: 'query.runId', check })
  return { deleted: true as const }
}

/** All or none, in the request's order. */
export async function move(
  ctx: Context<'quotas'>,
  { projectId, positions, runId }: InputOf<typeof canvas.move>,
) {
  const fieldOf = (_verb: string, _table: string, index: number) => `body.positions.${index}`
  const write = { update: { blocks: positions } }
  const { blocks, seq } = await changeCanvas(ctx, projectId, write, { runId, fieldOf })
  const byId = new Map(blocks.map((block) => [block.id, block]))
  return { items: positions.map(({ id }) => byId.get(id.toLowerCase())!), seq }
}

/** All or none. */
export async function change(
  ctx: Context<'quotas'>,
  { projectId, runId, create, ...rest }: InputOf<typeof canvas.change>,
) {
  const write = {
    create: { blocks: create?.blocks.map(withId), edges: create?.edges.map(withId) },
    update: rest.update,
    delete: rest.delete,
  }
  return changeCanvas(ctx, projectId, write, { runId })
}

const withId = <T extends { id?: string | undefined }>(item: T) => ({ ...item, id: item.id ?? newId() })

/** Not found if the file left the project: the caller may not read it elsewhere. */
export async function readFile(
  ctx: Context<'objects' | 'suspensions'>,
  { projectId, blockId, byteRequest }: InputOf<typeof canvas.file>,
) {
  const { orgId, id } = await findProject(ctx, projectId)
  const [block] = await listBlocksById(ctx.sql, orgId, id, [blockId])
  if (!block) throw notFound('Block')
  const [fileId] = block.fileId ? await projectFiles.filter(ctx.sql, orgId, id, [block.fileId]) : []
  if (!fileId) throw notFound('File')
  return read.serveInline(ctx, orgId, fileId, byteRequest)
}
