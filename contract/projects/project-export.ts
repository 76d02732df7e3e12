import { z } from 'zod'
import { canonicalJson } from '../canonical-json.ts'
import { BLOCKS_MAX, EDGES_MAX, WholeBlock, WholeEdge } from '../canvas/blocks.ts'
import { endpoint, member } from '../endpoint.ts'
import { Id, queryFlag, text, VerbatimId } from '../fields.ts'
import { FileName } from '../files/files.ts'
import { MEMORY_LIMITS } from '../knowledge/memory-options.ts'
import { Metadata, PROJECT_STATUSES, ProjectRef } from './projects.ts'

export const MANIFEST_FORMAT = 'atrium/project'
/** Enough for a canvas with 10,000 typical blocks. */
const MANIFEST_BYTES_MAX = 33_554_432
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
  counts: z.strictObject({ blocks: z.int(), edges: z.int(), files: z.int(), memory: z.int() }),
  checksum: z.strictObject({ algorithm: z.literal('sha256'), value: z.string() }),
})

/** Excludes the checksum and the export time. */
export const checksummedText = (manifest: Partial<z.input<typeof Manifest>>): string =>
  canonicalJson({ ...manifest, checksum: undefined, exportedAt: undefined })

const PlanItem = z.object({
  kind: z.enum(['project', 'block', 'edge', 'file', 'memory']),
  id: Id,
  title: z.string().nullable().describe('A display name'),
  fields: z.array(z.string()).optional().describe('For an update: the changed fields'),
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
      'Returns a checksummed manifest with the settings, the canvas, the memory and the file hashes; it does not contain file contents. `format=jsoncanvas` returns the open JSON Canvas format instead.',
    access: member(),
    heavy: true,
    params,
    query: z.object({ format: z.enum(['atrium', 'jsoncanvas']).default('atrium') }),
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
      '`dryRun=true` returns only the plan. `mode=replace` also deletes blocks and edges that are not in the manifest; files and memories are never deleted. With a plan’s `planHash`, returns CONFLICT if the project has changed since. The server creates a snapshot first.',
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
