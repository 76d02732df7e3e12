import {
  byDrawingOrder,
  jsonCanvasEdge,
  jsonCanvasNode,
  removeDrawings,
} from '../../../../contract/canvas/json-canvas.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { projectExport } from '../../../../contract/projects/project-export.ts'
import { inSlices } from '../../../concurrency/slices.ts'
import type { Context } from '../../../context.ts'
import { JsonParts } from '../../../endpoint/serialize.ts'
import { listOutsideBlocks } from '../../agents/runs/runs.ts'
import { readCanvas } from '../../canvas/canvas/canvas.ts'
import { projectFiles } from '../../files/files/files.ts'
import { listProjectMemory } from '../../knowledge/memory/memory.ts'
import { lockProjectForRead, type ProjectRow } from '../projects/projects.ts'
import { assignFileKeys } from './file-keys.ts'
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

/** The project must be locked. Otherwise a change could come between reading blocks and edges. */
export async function readContents(ctx: Context, project: ProjectRow): Promise<Contents> {
  const { sql } = ctx
  const { orgId, id } = project
  const [canvas, files, memory, outside] = await Promise.all([
    readCanvas(sql, orgId, id),
    projectFiles.list(sql, orgId, id),
    listProjectMemory(sql, orgId, id),
    listOutsideBlocks(sql, orgId, id),
  ])
  return { project, ...canvas, files: await assignFileKeys(files), memory, outside }
}

/** JSON Canvas 1.0 (jsoncanvas.org). */
export async function composeJsonCanvas({ blocks, edges, files }: Omit<Contents, 'project'>) {
  const paths = new Map(files.map(({ id, path }) => [id, path]))
  const drawn = removeDrawings(blocks, edges)
  const body = new JsonParts()
  const addList = <T>(items: readonly T[], present: (item: T) => object) =>
    inSlices(items, (item, index) => body.add(`${index === 0 ? '' : ','}${JSON.stringify(present(item))}`))
  body.add('{"nodes":[')
  await addList(drawn.blocks.toSorted(byDrawingOrder), (block) =>
    jsonCanvasNode(block, paths.get(block.fileId ?? '')),
  )
  body.add('],"edges":[')
  await addList(drawn.edges, jsonCanvasEdge)
  body.add(']}')
  return body
}
