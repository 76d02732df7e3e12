import type { InputOf } from '../../../../contract/endpoint.ts'
import type { projectExport } from '../../../../contract/projects/project-export.ts'
import type { Context } from '../../../context.ts'
import { listOutsideBlocks } from '../../agents/runs/runs.ts'
import { readCanvas } from '../../canvas/canvas/canvas.ts'
import { listProjectFiles } from '../../files/files/files.ts'
import { listProjectMemory } from '../../knowledge/memory/memory.ts'
import { lockProjectForRead, type ProjectRow } from '../projects/projects.ts'
import { assignFileKeys } from './file-keys.ts'
import { composeJsonCanvas } from './json-canvas.ts'
import { type Contents, composeManifest } from './manifest.ts'

export async function exportProject(
  ctx: Context,
  { projectId, format }: InputOf<typeof projectExport.export>,
) {
  const contents = await ctx.transaction(async (inside) =>
    readContents(inside, await lockProjectForRead(inside, projectId)),
  )
  return format === 'jsoncanvas' ? composeJsonCanvas(contents) : composeManifest(contents, ctx.now())
}

/** The project must be locked: otherwise a change could come between reading blocks and edges. */
export async function readContents(ctx: Context, project: ProjectRow): Promise<Contents> {
  const { sql } = ctx
  const { orgId, id } = project
  const [canvas, files, memory, outside] = await Promise.all([
    readCanvas(sql, orgId, id),
    listProjectFiles(sql, orgId, id),
    listProjectMemory(sql, orgId, id),
    listOutsideBlocks(sql, orgId, id),
  ])
  return { project, ...canvas, files: await assignFileKeys(files), memory, outside }
}
