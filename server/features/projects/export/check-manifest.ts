import { canonicalJson } from '../../../../contract/canonical-json.ts'
import { decodePath, toPathSegment } from '../../../../contract/projects/manifest-paths.ts'
import { checksummedParts } from '../../../../contract/projects/project-export.ts'
import { badField } from '../../../errors.ts'
import { createDigest } from '../../../security/digest.ts'
import type { CheckedManifest, Manifest } from './manifest.ts'
import { createRowPacker, type ManifestRow } from './pack-rows.ts'

/**
 * The error names the field. Valid blocks and edges refer only to the manifest's own blocks and files. Normalizes ids
 * to lower case, as PostgreSQL writes them. Rows are read once, one at a time.
 */
export function checkManifest(
  input: Manifest,
  rowsOf: (table: number) => Iterable<ManifestRow> = (table) => input.tables![table]!.rows,
): CheckedManifest {
  const packers = (input.tables ?? []).map((_, index) => createRowPacker(`body.tables.${index}`))
  checkChecksum(input, function* (index) {
    for (const row of rowsOf(index)) {
      packers[index]!.add(row)
      yield canonicalJson(row)
    }
  })
  const manifest = normalizeIds(
    input,
    packers.map((packer) => packer.finish()),
  )
  checkCounts(
    manifest,
    packers.reduce((sum, { count }) => sum + count(), 0),
  )
  for (const kind of ['blocks', 'edges', 'files'] as const) checkIds(kind, manifest[kind])
  checkIds(
    'memory',
    manifest.memory.map(({ key }) => ({ id: key })),
    'key',
  )
  checkFiles(manifest)
  checkBlocks(manifest)
  checkEdges(manifest)
  const views = manifest.tables?.flatMap((table) => table.views) ?? []
  checkIds('tables', manifest.tables ?? [])
  checkIds('views', views)
  return manifest
}

/** Imports no other feature, because the manifest-checking thread would load them all. */
function checkChecksum(manifest: Manifest, rowTexts: (table: number) => Iterable<string>): void {
  const digest = createDigest()
  for (const text of checksummedParts(manifest, rowTexts)) digest.add(text)
  if (manifest.checksum.value.toLowerCase() !== digest.hex())
    throw badField('body.checksum.value', 'does not match: the manifest was modified or truncated')
}

/** UUIDs are case-insensitive, but compared as text here. */
function normalizeIds(manifest: Manifest, rows: readonly Uint8Array[][]): CheckedManifest {
  const lower = <T extends string | null>(id: T) => (id?.toLowerCase() ?? null) as T
  return {
    ...manifest,
    blocks: manifest.blocks.map((block) => ({
      ...block,
      id: lower(block.id),
      parentId: lower(block.parentId),
      fileId: lower(block.fileId),
    })),
    edges: manifest.edges.map((edge) => ({
      ...edge,
      id: lower(edge.id),
      fromBlockId: lower(edge.fromBlockId),
      toBlockId: lower(edge.toBlockId),
    })),
    files: manifest.files.map((file) => ({ ...file, id: lower(file.id) })),
    ...(manifest.outside && { outside: manifest.outside.map(lower) }),
    tables: manifest.tables?.map((table, index) => ({
      ...table,
      id: lower(table.id),
      columns: table.columns.map((column) => ({
        ...column,
        ...(column.tableId && { tableId: lower(column.tableId) }),
      })),
      views: table.views.map((view) => ({ ...view, id: lower(view.id) })),
      rows: rows[index]!,
    })),
  }
}

function checkCounts({ counts, ...manifest }: CheckedManifest, rows: number): void {
  for (const kind of ['blocks', 'edges', 'files', 'memory'] as const) {
    const actual = manifest[kind].length
    if (counts[kind] !== actual)
      throw badField(`body.counts.${kind}`, `is ${counts[kind]}, but there are ${actual}`)
  }
  const tables = { tables: manifest.tables?.length, rows: manifest.tables && rows }
  for (const kind of ['tables', 'rows'] as const)
    if (counts[kind] !== tables[kind])
      throw badField(`body.counts.${kind}`, `is ${counts[kind]}, but there are ${tables[kind] ?? 'none'}`)
}

function checkIds(kind: string, items: { id: string }[], field = 'id'): void {
  const seen = new Set<string>()
  for (const [index, { id }] of items.entries()) {
    if (seen.has(id)) throw badField(`body.${kind}.${index}.${field}`, 'is a duplicate')
    seen.add(id)
  }
}

function checkFiles({ files }: CheckedManifest): void {
  for (const [index, { path, name }] of files.entries()) {
    const at = `body.files.${index}`
    const decoded = decodePath(path)
    if (decoded === null)
      throw badField(`${at}.path`, 'must be names joined by /, none of them empty, . or ..')
    if (decoded.split('/').at(-1) !== toPathSegment(name))
      throw badField(`${at}.name`, 'must be the end of the path')
  }
}

function checkBlocks({ blocks, files }: CheckedManifest): void {
  const groups = new Map(blocks.filter(({ type }) => type === 'group').map((group) => [group.id, group]))
  const fileIds = new Set(files.map(({ id }) => id))
  for (const [index, { fileId, parentId }] of blocks.entries()) {
    const at = `body.blocks.${index}`
    if (fileId && !fileIds.has(fileId)) throw badField(`${at}.fileId`, 'must be a file in the manifest')
    if (parentId && !groups.has(parentId)) throw badField(`${at}.parentId`, 'must be a group in the manifest')
  }
  /** Groups without a cycle above them, so each group is visited once. */
  const acyclic = new Set<string>()
  for (const [index, { parentId }] of blocks.entries()) {
    const visited = new Set<string>()
    for (let id = parentId; id && !acyclic.has(id); id = groups.get(id)!.parentId) {
      if (visited.has(id)) throw badField(`body.blocks.${index}.parentId`, 'must not form a cycle')
      visited.add(id)
    }
    for (const id of visited) acyclic.add(id)
  }
}

function checkEdges({ blocks, edges }: CheckedManifest): void {
  const ids = new Set(blocks.map(({ id }) => id))
  for (const [index, edge] of edges.entries()) {
    for (const end of ['fromBlockId', 'toBlockId'] as const)
      if (!ids.has(edge[end])) throw badField(`body.edges.${index}.${end}`, 'must be a block in the manifest')
    if (edge.fromBlockId === edge.toBlockId)
      throw badField(`body.edges.${index}.toBlockId`, 'must not be the same block as fromBlockId')
  }
}
