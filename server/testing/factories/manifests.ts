import type { z } from 'zod'
import { canonicalJson } from '../../../contract/canonical-json.ts'
import type { Manifest as Schema } from '../../../contract/projects/project-export.ts'
import { sha256 } from '../../security/digest.ts'
import { newId } from '../../security/ids.ts'

export type Manifest = z.output<typeof Schema>
export type ManifestBlock = Manifest['blocks'][number]

export function createManifest(fields: Partial<Manifest> = {}): Manifest {
  const { checksum: _, exportedAt = '2026-01-01T00:00:00.000Z', counts: __, ...parts } = fields
  const content = {
    format: 'atrium/project' as const,
    version: 1 as const,
    project: manifestSettings(),
    blocks: [],
    edges: [],
    files: [],
    memory: [],
    ...parts,
  }
  const counts = {
    blocks: content.blocks.length,
    edges: content.edges.length,
    files: content.files.length,
    memory: content.memory.length,
    ...(parts.tables && {
      tables: parts.tables.length,
      rows: parts.tables.reduce((sum, { rows }) => sum + rows.length, 0),
    }),
  }
  const value = sha256(canonicalJson({ ...content, counts })).toString('hex')
  return { ...content, counts, exportedAt, checksum: { algorithm: 'sha256', value } }
}

export const manifestSettings = (fields: Partial<Manifest['project']> = {}): Manifest['project'] => ({
  name: 'Restored',
  description: null,
  prompt: null,
  emoji: null,
  status: 'active',
  tags: [],
  metadata: {},
  ...fields,
})

export const manifestBlock = (fields: Partial<ManifestBlock> = {}): ManifestBlock => ({
  id: newId(),
  type: 'note',
  x: 0,
  y: 0,
  width: 240,
  height: 120,
  rotation: 0,
  zIndex: 0,
  parentId: null,
  title: null,
  content: null,
  fileId: null,
  color: null,
  locked: false,
  metadata: {},
  ...fields,
})

export type ManifestTable = NonNullable<Manifest['tables']>[number]

export const manifestTable = (fields: Partial<ManifestTable> = {}): ManifestTable => ({
  id: newId(),
  name: 'Customers',
  description: null,
  columns: [{ id: 'name', name: 'Name', type: 'text' }],
  key: null,
  views: [],
  rows: [],
  ...fields,
})

export const manifestRow = (values: ManifestTable['rows'][number]['values']) => ({ id: newId(), values })

export const manifestEdge = (from: { id: string }, to: { id: string }, label: string | null = null) => ({
  id: newId(),
  fromBlockId: from.id,
  toBlockId: to.id,
  label,
})

/** The id refers to no stored file. */
export function manifestFile(content: string, fields: Partial<Manifest['files'][number]> = {}) {
  const name = fields.name ?? fields.path?.split('/').at(-1) ?? 'plan.txt'
  return {
    id: newId(),
    path: name,
    name,
    mimeType: 'text/plain',
    size: Buffer.byteLength(content),
    sha256: sha256(content).toString('hex'),
    ...fields,
  }
}
