import { z } from 'zod'
import { canonicalJson } from '../canonical-json.ts'
import { BLOCKS_MAX, EDGES_MAX, WholeBlock, WholeEdge } from '../canvas/blocks.ts'
import { endpoint, member } from '../endpoint.ts'
import { Id, queryFlag, text, VerbatimId } from '../fields.ts'
import { FileName } from '../files/files.ts'
import { MEMORY_LIMITS } from '../knowledge/memory-options.ts'
import { Metadata, PROJECT_STATUSES, ProjectRef } from './projects.ts'
import { Choice, ColumnId, ColumnInput, ViewSettings } from './table-fields.ts'
import { TABLE_LIMITS } from './table-options.ts'

export const MANIFEST_FORMAT = 'atrium/project'
/** Enough for a canvas with 10,000 typical blocks and tables with 200,000 typical rows. */
export const MANIFEST_BYTES_MAX = 67_108_864
/** Of these, without rows: enough for the largest canvas. */
export const MANIFEST_BYTES_WITHOUT_ROWS_MAX = 33_554_432
/** Enough for the longest names at the maximum folder depth. */
const PATH_CHARACTERS_MAX = 50_000
const MEMORY_MAX = 10_000

const ManifestFile = z.strictObject({
  id: VerbatimId.describe('Derived from path and content, so it is the same after a restore'),
  path: z
    .string()
    .min(1)
    .max(PATH_CHARACTERS_MAX)
    .describe(
      'Path in the project folder, including the file name. In each name, `/` is replaced with `∕` (U+2215), and `%` is percent-encoded; the names `.` and `..` are percent-encoded entirely',
    )
    .meta({ examples: ['Drafts/plan.md'] }),
  name: FileName,
  mimeType: z.string().max(255),
  size: z.int().min(0),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
    .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] }),
})

const ManifestMemory = z.strictObject({
  key: text(1, MEMORY_LIMITS.key),
  content: text(1, MEMORY_LIMITS.content, { trim: false }),
  tags: z.array(text(1, 80)).max(30, 'must have at most 30 tags'),
})

/** Stored names, which may be older than the rules for new ones. */
const storedName = (max: number) => text(1, max, { trim: false })

const ManifestColumn = ColumnInput.extend({
  id: ColumnId,
  name: storedName(TABLE_LIMITS.name),
  type: ColumnInput.shape.type.unwrap(),
  choices: z
    .array(Choice.extend({ id: ColumnId, name: storedName(TABLE_LIMITS.choiceName) }))
    .max(TABLE_LIMITS.choices)
    .optional(),
  tableId: VerbatimId.optional().describe('For links to rows: a table in the manifest'),
})

export const ManifestRow = z.strictObject({
  id: VerbatimId,
  values: z
    .record(ColumnId, z.union([z.string(), z.number(), z.boolean()]))
    .describe(
      'By column id. A choice is its id; a link is the id of a file, a block or a row in the manifest. Links to runs are left out',
    )
    .meta({ examples: [{ name: 'Ada' }] }),
  outside: z
    .literal(true)
    .optional()
    .describe('Has a text by a guest, or by a run that had read untrusted content'),
})

const ManifestTable = z.strictObject({
  id: VerbatimId.describe('Stays the same after a restore, also in another project'),
  name: storedName(TABLE_LIMITS.name).meta({ examples: ['Customers'] }),
  description: text(0, TABLE_LIMITS.description).nullable(),
  columns: z.array(ManifestColumn).max(TABLE_LIMITS.columns),
  key: ColumnId.nullable(),
  views: z
    .array(z.strictObject({ id: VerbatimId, name: storedName(TABLE_LIMITS.name), settings: ViewSettings }))
    .max(TABLE_LIMITS.views),
  rows: z.array(ManifestRow).max(TABLE_LIMITS.rows, `must have at most ${TABLE_LIMITS.rows} rows`),
  outside: z.literal(true).optional().describe('The same for its name, description and columns'),
})

/** Contains no reference to its origin, so an export after a restore is identical. */
export const Manifest = z.object({
  format: z.literal(MANIFEST_FORMAT),
  version: z.literal(1),
  exportedAt: z.string().max(40),
  project: z.strictObject({
    name: text(1, 255),
    description: text(0, 5000).nullable(),
    prompt: text(0, 12_000, { trim: false }).nullable(),
    emoji: text(0, 16).nullable(),
    status: z.enum(PROJECT_STATUSES),
    tags: z.array(text(1, 80)).max(30, 'must have at most 30 tags'),
    metadata: Metadata,
  }),
  blocks: z.array(WholeBlock).max(BLOCKS_MAX, `must have at most ${BLOCKS_MAX} blocks`),
  edges: z.array(WholeEdge).max(EDGES_MAX, `must have at most ${EDGES_MAX} edges`),
  files: z.array(ManifestFile).max(100_000),
  memory: z
    .array(ManifestMemory)
    .max(MEMORY_MAX, `must have at most ${MEMORY_MAX} memories`)
    .describe('Project memory by key, without proposals')
    .meta({ examples: [[]] }),
  outside: z
    .array(VerbatimId)
    .max(BLOCKS_MAX)
    .optional()
    .describe(
      'Blocks whose text was written by a guest, or by a run that had read untrusted content: agents read it as data. Absent if there are none',
    ),
  tables: z
    .array(ManifestTable)
    .max(TABLE_LIMITS.tables, `must have at most ${TABLE_LIMITS.tables} tables`)
    .optional()
    .describe('Absent in manifests of earlier versions: a restore then leaves tables as they are')
    .meta({ examples: [[]] }),
  counts: z.strictObject({
    blocks: z.int(),
    edges: z.int(),
    files: z.int(),
    memory: z.int(),
    tables: z.int().optional(),
    rows: z.int().optional(),
  }),
  checksum: z.strictObject({ algorithm: z.literal('sha256'), value: z.string() }),
})

/** Excludes the checksum and the export time. */
export const checksummedText = (manifest: Partial<z.input<typeof Manifest>>): string =>
  canonicalJson({ ...manifest, checksum: undefined, exportedAt: undefined })

/**
 * The same text in parts, with the rows of each table as they come: a table's rows in one text would take several times
 * their memory.
 */
export function* checksummedParts(
  manifest: Partial<z.input<typeof Manifest>>,
  rowsOf: (table: number) => Iterable<string>,
): Generator<string> {
  const { tables, ...rest } = { ...manifest, checksum: undefined, exportedAt: undefined }
  yield* objectParts({ ...rest, tables }, 'tables', function* () {
    for (const [index, table] of tables!.entries()) {
      yield index === 0 ? '[' : ','
      yield* objectParts(table, 'rows', () => listParts(rowsOf(index)))
    }
    yield tables!.length === 0 ? '[]' : ']'
  })
}

function* objectParts(
  value: Record<string, unknown>,
  streamed: string,
  parts: () => Iterable<string>,
): Generator<string> {
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
  for (const [index, name] of names.entries()) {
    yield `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`
    if (name === streamed) yield* parts()
    else yield canonicalJson(value[name])
  }
  yield '}'
}

function* listParts(items: Iterable<string>): Generator<string> {
  let isFirst = true
  for (const item of items) {
    yield isFirst ? `[${item}` : `,${item}`
    isFirst = false
  }
  yield isFirst ? '[]' : ']'
}

const PlanItem = z.object({
  kind: z.enum(['project', 'block', 'edge', 'file', 'memory', 'table']),
  id: Id,
  title: z.string().nullable().describe('A display name'),
  fields: z.array(z.string()).optional().describe('For an update: the changed fields'),
  rows: z.object({ created: z.int(), updated: z.int(), deleted: z.int() }).optional().describe('For a table'),
})

export const RestorePlan = z.object({
  create: z.array(PlanItem),
  update: z.array(PlanItem),
  delete: z.array(PlanItem),
  unchanged: z.int(),
  missingFiles: z
    .array(ManifestFile)
    .describe(
      'Files in the manifest whose bytes are not stored on this server: upload them to the project first',
    ),
})

const params = z.object({ projectId: ProjectRef })

export const projectExport = {
  export: endpoint({
    method: 'GET',
    path: '/api/v1/projects/:projectId/export',
    summary: 'Export a project',
    description:
      'Returns a checksummed manifest with the settings, the canvas, the tables, the memory and the file hashes; it does not contain file contents. Returns CONFLICT if the tables are larger than a restore accepts, unless `withoutTables` is set. `format=jsoncanvas` returns the open JSON Canvas format instead.',
    access: member(),
    heavy: true,
    params,
    query: z.object({
      format: z.enum(['atrium', 'jsoncanvas']).default('atrium'),
      withoutTables: queryFlag().describe('A restore then leaves tables as they are'),
    }),
    output: z.union([
      Manifest,
      z.object({
        nodes: z.array(z.record(z.string(), z.unknown())),
        edges: z.array(z.record(z.string(), z.unknown())),
      }),
    ]),
    tool: 'read',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:projectId/restore',
    summary: 'Restore a project from a manifest',
    description:
      '`dryRun=true` returns only the plan. `mode=replace` also deletes blocks, edges, tables, and tables’ columns, views and rows that are not in the manifest; files and memories are never deleted. Changes to tables can be undone in each table’s history, and deleted tables restored, for 30 days. With a plan’s `planHash`, returns CONFLICT if the project has changed since. The server creates a snapshot first.',
    access: member({ edits: true }),
    heavy: true,
    params,
    query: z.object({
      dryRun: queryFlag(),
      mode: z.enum(['merge', 'replace']).default('merge'),
      planHash: z.string().max(100).optional(),
    }),
    body: Manifest,
    bodyBytesMax: MANIFEST_BYTES_MAX,
    output: z.union([
      z.object({ dryRun: z.literal(true), plan: RestorePlan, planHash: z.string() }),
      z.object({ dryRun: z.literal(false), applied: RestorePlan, planHash: z.string(), snapshotId: Id }),
    ]),
  }),
}
