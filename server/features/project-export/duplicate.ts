import type { InputOf } from '../../../contract/endpoint.ts'
import type { projects } from '../../../contract/projects/projects.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../security/ids.ts'
import { type BlockRow, type EdgeRow, readCanvas, writeCanvas } from '../canvas/canvas.ts'
import { copyFolder } from '../files/files.ts'
import {
  createProject,
  lockProjectForRead,
  type ProjectRow,
  presentProject,
  publishProjectEvent,
} from '../projects/projects.ts'

const NAME_POINTS_MAX = 255
const COPY_SUFFIX = ' (copy)'

/** Creates a copy owned by the caller: same settings, canvas and files, without history, shares and sessions. */
export async function duplicateProject(ctx: Context, { id }: InputOf<typeof projects.duplicate>) {
  return ctx.transaction(async (inside) => {
    const original = await lockProjectForRead(inside, id)
    const clone = await createProject(inside, { ...settingsOf(original), workspaceId: original.workspaceId })
    const files = await copyFiles(inside, original, clone)
    const { blocks, edges } = await readCanvas(inside.sql, original.orgId, original.id)
    await writeCanvas(inside, clone, { create: withNewIds(blocks, edges, files) })
    await publishProjectEvent(inside, 'project.duplicated', clone, { from: original.id })
    return presentProject(clone)
  })
}

/** Without the status: a new project is active. */
const settingsOf = ({ name, description, prompt, emoji, visibility, tags, metadata }: ProjectRow) => ({
  name: copyNameOf(name),
  description,
  prompt,
  emoji,
  visibility,
  tags,
  metadata,
})

const copyNameOf = (name: string) =>
  [...name].slice(0, NAME_POINTS_MAX - COPY_SUFFIX.length).join('') + COPY_SUFFIX

async function copyFiles(ctx: Context, from: ProjectRow, to: ProjectRow): Promise<Map<string, string>> {
  if (from.folderId === null || to.folderId === null) return new Map()
  return copyFolder(ctx, from.folderId, to.folderId)
}

/** The canvas with new ids. A block whose file was not copied loses it. */
function withNewIds(blocks: BlockRow[], edges: EdgeRow[], files: Map<string, string>) {
  const ids = new Map(blocks.map(({ id }) => [id, newId()]))
  const idOf = (id: string) => ids.get(id)!
  return {
    blocks: blocks.map((block) => ({
      ...block,
      id: idOf(block.id),
      parentId: block.parentId && idOf(block.parentId),
      fileId: (block.fileId && files.get(block.fileId)) ?? null,
    })),
    edges: edges.map((edge) => ({
      ...edge,
      id: newId(),
      fromBlockId: idOf(edge.fromBlockId),
      toBlockId: idOf(edge.toBlockId),
    })),
  }
}
