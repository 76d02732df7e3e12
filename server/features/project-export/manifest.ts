import type { z } from 'zod'
import {
  checksummedText,
  MANIFEST_FORMAT,
  type Manifest as Schema,
} from '../../../contract/projects/project-export.ts'
import { sha256 } from '../../security/digest.ts'
import type { BlockRow, EdgeRow } from '../canvas/canvas.ts'
import type { ProjectRow } from '../projects/projects.ts'
import type { KeyedFile } from './file-keys.ts'

export type Manifest = z.output<typeof Schema>
export type ManifestBlock = Manifest['blocks'][number]
export type ManifestEdge = Manifest['edges'][number]
export type ManifestFile = Manifest['files'][number]

/** The contents of a project. */
export interface Contents {
  project: ProjectRow
  blocks: BlockRow[]
  edges: EdgeRow[]
  files: KeyedFile[]
}

/** Deterministic: equal projects have equal manifests in any organization, because every list is sorted. */
export function composeManifest({ project, blocks, edges, files }: Contents, now: Date): Manifest {
  const names = new Map(files.map(({ id, key }) => [id, key]))
  const content = {
    format: MANIFEST_FORMAT,
    version: 1 as const,
    project: portableFieldsOf(project),
    blocks: blocks.map((block) => blockOf(block, names)).sort(byId),
    edges: edges.map(edgeOf).sort(byId),
    files: files.map(fileOf),
    memory: [],
    counts: { blocks: blocks.length, edges: edges.length, files: files.length, memory: 0 },
  } satisfies Omit<Manifest, 'checksum' | 'exportedAt'>
  const checksum = { algorithm: 'sha256' as const, value: checksumOf(content) }
  return { ...content, exportedAt: now.toISOString(), checksum }
}

export const checksumOf = (manifest: Partial<Manifest>): string =>
  sha256(checksummedText(manifest)).toString('hex')

/** The fields that are independent of the organization: no ids, users or access. */
export const portableFieldsOf = (project: ProjectRow): Manifest['project'] => ({
  name: project.name,
  description: project.description,
  prompt: project.prompt,
  emoji: project.emoji,
  status: project.status,
  tags: project.tags,
  metadata: project.metadata,
})

const blockOf = (block: BlockRow, names: Map<string, string>): ManifestBlock => ({
  id: block.id,
  type: block.type,
  x: block.x,
  y: block.y,
  width: block.width,
  height: block.height,
  rotation: block.rotation,
  zIndex: block.zIndex,
  parentId: block.parentId,
  title: block.title,
  content: block.content,
  fileId: (block.fileId && names.get(block.fileId)) ?? null,
  color: block.color,
  locked: block.locked,
  metadata: block.metadata,
})

const edgeOf = ({ id, fromBlockId, toBlockId, label }: EdgeRow): ManifestEdge => ({
  id,
  fromBlockId,
  toBlockId,
  label,
})

const fileOf = ({ key, path, name, mimeType, size, sha256: hash }: KeyedFile): ManifestFile => ({
  id: key,
  path,
  name,
  mimeType,
  size,
  sha256: hash,
})

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
