import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { decodePath } from '../../../../contract/projects/manifest-paths.ts'
import {
  checksummedText,
  MANIFEST_FORMAT,
  Manifest as Schema,
} from '../../../../contract/projects/project-export.ts'
import { Failure } from '../../../failure.ts'
import { parseJson } from '../../../parse.ts'
import { hashFile, sha256 } from '../../files/hash.ts'
import { createNamer } from '../../files/local-files.ts'

export type Manifest = z.output<typeof Schema>
export type ManifestFile = Manifest['files'][number]

export const MANIFEST_NAME = 'project.json'
export const CANVAS_NAME = 'project.canvas'
const FILES_NAME = 'files'

export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST_NAME)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    throw new Failure(
      'usage',
      `${MANIFEST_NAME} not found in ${folder}`,
      'Use a folder that `npx atrium projects export` created.',
    )
  })
  const data = parseJson(text)
  if ((data as { format?: unknown } | undefined)?.format !== MANIFEST_FORMAT)
    throw new Failure('failed', `${path} isn’t a project manifest`)
  const parsed = Schema.safeParse(data)
  if (parsed.success && hasValidChecksum(parsed.data)) return parsed.data
  const field = parsed.error?.issues[0]?.path.join('.')
  throw new Failure(
    'failed',
    `${path} was modified after its export${field ? ` (see ${field})` : ''}`,
    'Export the project again.',
  )
}

export function hasValidChecksum(manifest: Manifest): boolean {
  try {
    return sha256().update(checksummedText(manifest)).digest('hex') === manifest.checksum.value
  } catch {
    return false
  }
}

/** Names are unique, safe, and always the same for a manifest. */
export function planLocalPaths(manifest: Manifest, folder: string): Map<ManifestFile, string> {
  const root = createLocalFolder(join(folder, FILES_NAME))
  const paths = new Map<ManifestFile, string>()
  for (const file of manifest.files) {
    const names = decodePath(file.path)?.split('/')
    if (!names) throw new Failure('failed', `The manifest contains an invalid path: ${file.path}`)
    let parent = root
    for (const name of names.slice(0, -1)) parent = parent.folder(name)
    paths.set(file, parent.file(names.at(-1)!))
  }
  return paths
}

interface LocalFolder {
  folder: (name: string) => LocalFolder
  file: (name: string) => string
}

function createLocalFolder(path: string): LocalFolder {
  const nameOf = createNamer()
  const folders = new Map<string, LocalFolder>()
  return {
    folder(name) {
      const found = folders.get(name) ?? createLocalFolder(join(path, nameOf(name)))
      folders.set(name, found)
      return found
    },
    file: (name) => join(path, nameOf(name)),
  }
}

/** Compares size and hash. */
export async function hasLocalCopy({ size, sha256: hash }: ManifestFile, local: string): Promise<boolean> {
  const found = await lstat(local).catch(() => null)
  if (!found?.isFile() || found.size !== size) return false
  return (await hashFile(local)) === hash
}
