import type { InputOf } from '../../../../contract/endpoint.ts'
import type { projects } from '../../../../contract/projects/projects.ts'
import type { Context } from '../../../context.ts'
import { listOutsideBlocks } from '../../agents/runs/runs.ts'
import { copyCanvas } from '../../canvas/canvas/canvas.ts'
import { projectFolders } from '../../files/files/files.ts'
import { copyMemory } from '../../knowledge/memory/memory.ts'
import {
  createProject,
  lockProjectForRead,
  type ProjectRow,
  presentProject,
  publishProjectEvent,
} from '../projects/projects.ts'
import { copyLinks, copyTables } from '../tables/tables.ts'

const NAME_POINTS_MAX = 255
const COPY_SUFFIX = ' (copy)'

/** Without history, shares or sessions. The caller owns the copy. */
export async function duplicateProject(ctx: Context<'quotas'>, { id }: InputOf<typeof projects.duplicate>) {
  return ctx.transaction(async (inside) => {
    const original = await lockProjectForRead(inside, id)
    const clone = await createProject(inside, { ...settingsOf(original), workspaceId: original.workspaceId })
    const files = await copyFiles(inside, original, clone)
    const outside = await listOutsideBlocks(inside.sql, original.orgId, original.id)
    const tables = await copyTables(inside, original.id, clone.id)
    const blocks = await copyCanvas(inside, original, clone, { files, outside, tables })
    await copyLinks(inside, clone.id, { files, blocks })
    await copyMemory(inside, original.id, clone.id)
    await publishProjectEvent(inside, 'project.duplicated', clone, { from: original.id })
    return presentProject(clone)
  })
}

const settingsOf = ({
  name,
  description,
  prompt,
  promptBy,
  userId,
  emoji,
  visibility,
  tags,
  metadata,
}: ProjectRow) => ({
  name: copyNameOf(name),
  description,
  prompt,
  promptBy: promptBy ?? userId,
  emoji,
  visibility,
  tags,
  metadata,
})

const copyNameOf = (name: string) =>
  [...name].slice(0, NAME_POINTS_MAX - COPY_SUFFIX.length).join('') + COPY_SUFFIX

async function copyFiles(
  ctx: Context<'quotas'>,
  from: ProjectRow,
  to: ProjectRow,
): Promise<Map<string, string>> {
  if (from.folderId === null || to.folderId === null) return new Map()
  return projectFolders.copyInto(ctx, from.folderId, to.folderId)
}
