import type { z } from 'zod'
import { canonicalJson } from '../../../../contract/canonical-json.ts'
import { MANIFEST_FORMAT, type Manifest as Schema } from '../../../../contract/projects/project-export.ts'
import { inSlices } from '../../../concurrency/slices.ts'
import { JsonParts } from '../../../endpoint/serialize.ts'
import { createDigest } from '../../../security/digest.ts'
import { type BlockRow, type EdgeRow, pickBlockFields, withoutRuntime } from '../../canvas/canvas/canvas.ts'
import type { ProjectRow } from '../projects/projects.ts'
import type { ManifestTable } from '../tables/tables.ts'
import type { KeyedFile } from './file-keys.ts'

export type Manifest = z.output<typeof Schema>
export type ManifestBlock = Manifest['blocks'][number]
export type ManifestEdge = Manifest['edges'][number]
export type ManifestFile = Manifest['files'][number]
export type ManifestMemory = Manifest['memory'][number]

/** Rows are packed. */
export interface CheckedManifest extends Omit<Manifest, 'tables'> {
  tables?: ManifestTable[] | undefined
}

/** Blocks and edges are sorted by id, files and memories by key. */
export interface Contents {
  project: ProjectRow
  blocks: BlockRow[]
  edges: EdgeRow[]
  files: KeyedFile[]
  memory: (ManifestMemory & { id: string })[]
  /** Blocks with untrusted text. */
  outside: string[]
}

/** A table's fields and its rows, both in canonical JSON. */
export interface TableText {
  table: Omit<NonNullable<Manifest['tables']>[number], 'rows'>
  rows: readonly string[]
  rowCount: number
}

/**
 * Deterministic: every list is sorted, so equal projects have equal manifests in any organization. Writes the canonical
 * text (keys in alphabetical order) and hashes it in the same pass, in slices.
 */
export async function composeManifest(
  contents: Contents,
  tables: readonly TableText[] | null,
  now: Date,
): Promise<JsonParts> {
  const { project, blocks, edges, files, memory, outside } = contents
  const fileKeys = new Map(files.map(({ id, key }) => [id, key]))
  const body = new JsonParts()
  const digest = createDigest()
  const add = (text: string) => {
    digest.add(text)
    body.add(text)
  }
  const addList = async <T>(items: readonly T[], present: (item: T) => object) => {
    add('[')
    await inSlices(items, (item, index) => add(`${index === 0 ? '' : ','}${canonicalJson(present(item))}`))
    add(']')
  }
  add('{"blocks":')
  await addList(blocks, (block) => blockOf(withoutRuntime(block), fileKeys))
  const counts = {
    blocks: blocks.length,
    edges: edges.length,
    files: files.length,
    memory: memory.length,
    ...(tables && {
      tables: tables.length,
      rows: tables.reduce((sum, { rowCount }) => sum + rowCount, 0),
    }),
  }
  add(`,"counts":${canonicalJson(counts)},"edges":`)
  await addList(edges, edgeOf)
  add(',"files":')
  await addList(files, fileOf)
  add(`,"format":"${MANIFEST_FORMAT}","memory":`)
  await addList(memory, ({ key, content, tags }) => ({ key, content, tags }))
  if (outside.length > 0) add(`,"outside":${JSON.stringify(outside)}`)
  add(`,"project":${canonicalJson(pickPortableFields(project))}`)
  if (tables) {
    add(',"tables":[')
    for (const [index, { table, rows }] of tables.entries()) {
      // `rows` and `views` are a table's last fields.
      const { views, ...fields } = table
      add(`${index === 0 ? '' : ','}${canonicalJson(fields).slice(0, -1)},"rows":[`)
      await inSlices(rows, add)
      add(`],"views":${canonicalJson(views)}}`)
    }
    add(']')
  }
  add(',"version":1')
  digest.add('}')
  const checksum = { algorithm: 'sha256', value: digest.hex() }
  body.add(`,"checksum":${JSON.stringify(checksum)},"exportedAt":"${now.toISOString()}"}`)
  return body
}

/** Fields independent of the organization: no ids, users or access. */
export const pickPortableFields = (project: ProjectRow): Manifest['project'] => ({
  name: project.name,
  description: project.description,
  prompt: project.prompt,
  emoji: project.emoji,
  status: project.status,
  tags: project.tags,
  metadata: project.metadata,
})

const blockOf = (block: BlockRow, fileKeys: Map<string, string>): ManifestBlock => ({
  id: block.id,
  ...pickBlockFields(block),
  fileId: (block.fileId && fileKeys.get(block.fileId)) ?? null,
})

const edgeOf = ({ id, fromBlockId, toBlockId, label, condition, style }: EdgeRow): ManifestEdge => ({
  id,
  fromBlockId,
  toBlockId,
  label,
  ...(condition !== null && { condition }),
  ...(Object.keys(style).length > 0 && { style }),
})

const fileOf = ({ key, path, name, mimeType, size, sha256: hash }: KeyedFile): ManifestFile => ({
  id: key,
  path,
  name,
  mimeType,
  size,
  sha256: hash,
})
