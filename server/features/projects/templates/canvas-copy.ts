import { TEMPLATE_BLOCKS_MAX, TEMPLATE_BYTES_MAX } from '../../../../contract/projects/list-options.ts'
import type { Context } from '../../../context.ts'
import { conflict } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { listOutsideBlocks } from '../../agents/runs/runs.ts'
import {
  type BlockFields,
  type CanvasWrite,
  type EdgeRow,
  markOutside,
  pickBlockFields,
  readCanvas,
  withoutRuntime,
  withTableIds,
  writeCanvas,
} from '../../canvas/canvas/canvas.ts'
import type { ProjectRow } from '../projects/projects.ts'
import { presentForManifest, readProjectTables, restoreTables, toManifestIds } from '../tables/tables.ts'

/** Ids mean nothing outside it. */
export interface TemplateCanvas {
  blocks: ({ id: string } & Omit<BlockFields, 'fileId'>)[]
  /** Templates saved by earlier versions have no conditions. */
  edges: (Omit<EdgeRow, 'condition'> & Partial<Pick<EdgeRow, 'condition'>>)[]
  /** Blocks written by a guest or an untrusted run. Agents read them as data. */
  outside: string[]
  /** Templates saved by earlier versions have none. */
  tables?: TemplateTable[]
}

type TemplateTable = ReturnType<typeof presentForManifest>

/** Omits files and rows, which stay in the project, and run state. */
export async function extractTemplateCanvas({ sql }: Context, project: ProjectRow): Promise<TemplateCanvas> {
  if (project.blockCount > TEMPLATE_BLOCKS_MAX || project.canvasBytes > TEMPLATE_BYTES_MAX) throw tooLarge()
  const { orgId, id } = project
  const [{ blocks, edges }, outside, projectTables] = await Promise.all([
    readCanvas(sql, orgId, id),
    listOutsideBlocks(sql, orgId, id),
    readProjectTables(sql, orgId, id, 'share'),
  ])
  const tables = projectTables.tables.map((table) => presentForManifest(projectTables, table))
  if (project.canvasBytes + Buffer.byteLength(JSON.stringify(tables)) > TEMPLATE_BYTES_MAX) throw tooLarge()
  const ids = toManifestIds(projectTables)
  return {
    tables,
    blocks: blocks.map((block) => {
      const { fileId: _fileId, ...fields } = pickBlockFields(withTableIds(withoutRuntime(block), ids))
      return { id: block.id, ...fields }
    }),
    edges: edges.map(({ id, fromBlockId, toBlockId, label, condition, style }) => ({
      id,
      fromBlockId,
      toBlockId,
      label,
      condition,
      style,
    })),
    outside: [...outside],
  }
}

/** The project must be empty and locked. Assigns new ids. */
export async function writeCopy(
  ctx: Context<'quotas'>,
  project: ProjectRow,
  canvas: TemplateCanvas,
): Promise<void> {
  const tableIds = await createTables(ctx, project, canvas.tables ?? [])
  const ids = new Map(canvas.blocks.map(({ id }) => [id, newId()]))
  const write: CanvasWrite = {
    create: {
      blocks: canvas.blocks.map((block) => ({
        ...withTableIds(block, tableIds),
        id: ids.get(block.id)!,
        parentId: ids.get(block.parentId ?? '') ?? null,
        fileId: null,
      })),
      edges: canvas.edges.map((edge) => ({
        ...edge,
        id: newId(),
        fromBlockId: ids.get(edge.fromBlockId)!,
        toBlockId: ids.get(edge.toBlockId)!,
      })),
    },
  }
  if (canvas.blocks.length === 0) return
  const after = project.changeSeq
  await writeCanvas(ctx, project, write)
  await markOutside(ctx.sql, project, { blockIds: canvas.outside.map((id) => ids.get(id)!), after })
}

async function createTables(ctx: Context<'quotas'>, { id }: ProjectRow, tables: readonly TemplateTable[]) {
  if (tables.length === 0) return { tables: new Map(), views: new Map() }
  const withoutRows = tables.map((table) => ({ ...table, rows: [] }))
  const { ids } = await restoreTables(ctx, id, { tables: withoutRows, mode: 'merge', files: new Map() })
  return ids
}

const tooLarge = () =>
  conflict(
    `The canvas is too large for a template: it may have at most ${TEMPLATE_BLOCKS_MAX.toLocaleString('en')} blocks and 4 MB of text. Duplicate the project instead`,
  )
