import type { canvas } from '../../../../../contract/canvas/canvas.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { badField, notFound } from '../../../../errors.ts'
import { filterProjectFiles, serveInline } from '../../../files/files/files.ts'
import { findProject, type ProjectRow } from '../../../projects/projects/projects.ts'
import type { NormalizedWrite, WriteOptions } from './canvas-write.ts'
import type { AffectedItems } from './load-affected.ts'
import { listBlocksById } from './read-queries.ts'

/** The bytes of a block's file; not found if the file was moved out of the project, which the caller may not read. */
export async function readFile(
  ctx: Context,
  { projectId, blockId, byteRequest }: InputOf<typeof canvas.file>,
) {
  const { orgId, id } = await findProject(ctx, projectId)
  const [block] = await listBlocksById(ctx.sql, orgId, id, [blockId])
  if (!block) throw notFound('Block')
  const [fileId] = block.fileId ? await filterProjectFiles(ctx.sql, orgId, id, [block.fileId]) : []
  if (!fileId) throw notFound('File')
  return serveInline(ctx, orgId, fileId, byteRequest)
}

/** A block can only show a file in the folder of its own project. */
export async function checkFiles(
  sql: Sql,
  { orgId, id }: ProjectRow,
  affected: AffectedItems,
  write: NormalizedWrite,
  { fieldOf }: WriteOptions,
): Promise<void> {
  const references = [
    ...write.create.blocks.map(({ fileId }, index) => ({ fileId, verb: 'create' as const, index })),
    ...write.update.blocks.map((block, index) => ({
      fileId: affected.blocks.get(block.id)?.fileId === block.fileId ? null : block.fileId,
      verb: 'update' as const,
      index,
    })),
  ]
  const fileIds = new Set(references.flatMap(({ fileId }) => fileId ?? []))
  if (fileIds.size === 0) return
  const found = new Set(await filterProjectFiles(sql, orgId, id, [...fileIds]))
  const invalid = references.find(({ fileId }) => fileId && !found.has(fileId))
  if (invalid)
    throw badField(
      `${fieldOf(invalid.verb, 'blocks', invalid.index)}.fileId`,
      'is not a file of this project',
    )
}
