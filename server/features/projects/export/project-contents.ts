import { canonicalJson } from '../../../../contract/canonical-json.ts'
import {
  byDrawingOrder,
  jsonCanvasEdge,
  jsonCanvasNode,
  removeDrawings,
} from '../../../../contract/canvas/json-canvas.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { MANIFEST_BYTES_MAX, type projectExport } from '../../../../contract/projects/project-export.ts'
import { inSlices } from '../../../concurrency/slices.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { JsonParts } from '../../../endpoint/serialize.ts'
import { ApiError } from '../../../errors.ts'
import { listOutsideBlocks } from '../../agents/runs/runs.ts'
import { readCanvas, withTableIds } from '../../canvas/canvas/canvas.ts'
import { projectFiles } from '../../files/files/files.ts'
import { listProjectMemory } from '../../knowledge/memory/memory.ts'
import { lockProjectForRead, type ProjectRow } from '../projects/projects.ts'
import {
  type ProjectTables,
  presentForManifest,
  readManifestRows,
  readProjectTables,
  toManifestIds,
} from '../tables/tables.ts'
import { assignFileKeys, type KeyedFile } from './file-keys.ts'
import { type Contents, composeManifest, type TableText } from './manifest.ts'

export async function exportProject(
  ctx: Context,
  { projectId, format, withoutTables }: InputOf<typeof projectExport.export>,
) {
  if (format === 'jsoncanvas')
    return composeJsonCanvas(
      await ctx.transaction(async (inside) =>
        readContents(inside, await lockProjectForRead(inside, projectId)),
      ),
    )
  const { contents, tables } = await ctx.transaction(async (inside) => {
    const project = await lockProjectForRead(inside, projectId)
    const contents = await readContents(inside, project)
    const tables = await readProjectTables(inside.sql, project.orgId, project.id, 'share')
    const { tables: ids, views } = toManifestIds(tables)
    return {
      contents: {
        ...contents,
        blocks: contents.blocks.map((block) => withTableIds(block, { tables: ids, views })),
      },
      tables: withoutTables ? null : await readTableTexts(inside.sql, tables, contents.files),
    }
  })
  return composeManifest(contents, tables, ctx.now())
}

/** Per row, beyond its values: its id and punctuation. */
const ROW_BYTES = 64

async function readTableTexts(
  sql: Sql,
  project: ProjectTables,
  files: readonly KeyedFile[],
): Promise<TableText[]> {
  const size = project.tables.reduce((sum, { bytes, rowCount }) => sum + bytes + rowCount * ROW_BYTES, 0)
  if (size > MANIFEST_BYTES_MAX) throw tablesTooLarge(size)
  const keys = new Map(files.map(({ id, key }) => [id, key]))
  const texts: TableText[] = []
  for (const table of project.tables) {
    const rows: string[] = []
    let rowCount = 0
    for await (const batch of readManifestRows(sql, table, keys)) {
      rows.push(`${rowCount === 0 ? '' : ','}${batch.map(canonicalJson).join(',')}`)
      rowCount += batch.length
    }
    texts.push({ table: presentForManifest(project, table), rows, rowCount })
  }
  return texts
}

const tablesTooLarge = (size: number) =>
  new ApiError(
    'CONFLICT',
    `The project’s tables take ${toMegabytes(size)} MB, and a manifest can have ${toMegabytes(MANIFEST_BYTES_MAX)} MB: export it with withoutTables=true, and each table as CSV`,
    { details: { reason: 'tables_too_large' } },
  )

const toMegabytes = (bytes: number) => Math.ceil(bytes / 1_048_576)

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
