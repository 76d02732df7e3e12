import type { z } from 'zod'
import { canonicalJson } from '../../../contract/canonical-json.ts'
import type { Manifest as Schema } from '../../../contract/projects/project-export.ts'
import { sha256 } from '../../security/digest.ts'
import { newId } from '../../security/ids.ts'

export type Manifest = z.output<typeof Schema>
export type ManifestBlock = Manifest['blocks'][number]

/** A document with the counts and the checksum that it must have, whatever else is in it. */
export function createManifest(given: Partial<Manifest> = {}): Manifest {
  const { checksum: _, exportedAt = '2026-01-01T00:00:00.000Z', counts: __, ...parts } = given
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
    memory: 0,
  }
  const value = sha256(canonicalJson({ ...content, counts })).toString('hex')
  return { ...content, counts, exportedAt, checksum: { algorithm: 'sha256', value } }
}

export const manifestSettings = (given: Partial<Manifest['project']> = {}): Manifest['project'] => ({
  name: 'Restored',
  description: null,
  prompt: null,
  emoji: null,
  status: 'active',
  tags: [],
  metadata: {},
  ...given,
})

export const manifestBlock = (given: Partial<ManifestBlock> = {}): ManifestBlock => ({
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
  ...given,
})

export const manifestEdge = (from: { id: string }, to: { id: string }, label: string | null = null) => ({
  id: newId(),
  fromBlockId: from.id,
  toBlockId: to.id,
  label,
})

/** A file of a manifest as nobody has it. */
export function manifestFile(content: string, given: Partial<Manifest['files'][number]> = {}) {
  const name = given.name ?? given.path?.split('/').at(-1) ?? 'plan.txt'
  return {
    id: newId(),
    path: name,
    name,
    mimeType: 'text/plain',
    size: Buffer.byteLength(content),
    sha256: sha256(content).toString('hex'),
    ...given,
  }
}
