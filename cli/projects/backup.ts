import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { decodePath } from '../../contract/projects/manifest-paths.ts'
import {
  checksummedText,
  MANIFEST_FORMAT,
  Manifest as Schema,
} from '../../contract/projects/project-export.ts'
import { Failure } from '../failure.ts'
import { hashFile, sha256 } from '../files/hash.ts'
import { createNamer } from '../files/local-name.ts'

export type Manifest = z.output<typeof Schema>
export type ManifestFile = Manifest['files'][number]

export const MANIFEST_NAME = 'project.json'
export const CANVAS_NAME = 'project.canvas'
const FILES_NAME = 'files'

/** The manifest in a folder, if it is whole. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST_NAME)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    throw new Failure(
      'usage',
      `There is no ${MANIFEST_NAME} in ${folder}`,
      'Name the folder that `atrium projects export` made.',
    )
  })
  const given = asJson(text)
  if ((given as { format?: unknown } | undefined)?.format !== MANIFEST_FORMAT)
    throw new Failure('failed', `${path} is not the manifest of a project`)
  const parsed = Schema.safeParse(given)
  if (parsed.success && isWhole(parsed.data)) return parsed.data
  const place = parsed.error?.issues[0]?.path.join('.')
  throw new Failure(
    'failed',
    `${path} was changed or cut after its export${place ? ` (see ${place})` : ''}`,
    'Export the project again.',
  )
}

/** Whether it is as it was when its checksum was made. */
export function isWhole(manifest: Manifest): boolean {
  try {
    return sha256().update(checksummedText(manifest)).digest('hex') === manifest.checksum.value
  } catch {
    return false
  }
}

/**
 * Where each file of a manifest is in its folder: below `files`, whatever the names. Folders and files get names of
 * their own, so that no two are one and none leads elsewhere; the same manifest always gives the same names.
 */
export function placesOf(manifest: Manifest, folder: string): Map<ManifestFile, string> {
  const root = createPlace(join(folder, FILES_NAME))
  const places = new Map<ManifestFile, string>()
  for (const file of manifest.files) {
    const names = decodePath(file.path)?.split('/')
    if (!names) throw new Failure('failed', `The manifest has a path that leads nowhere: ${file.path}`)
    let place = root
    for (const name of names.slice(0, -1)) place = place.folder(name)
    places.set(file, place.file(names.at(-1)!))
  }
  return places
}

interface Place {
  folder: (name: string) => Place
  file: (name: string) => string
}

function createPlace(path: string): Place {
  const nameOf = createNamer()
  const folders = new Map<string, Place>()
  return {
    folder(name) {
      const found = folders.get(name) ?? createPlace(join(path, nameOf(name)))
      folders.set(name, found)
      return found
    },
    file: (name) => join(path, nameOf(name)),
  }
}

/** Whether the very file that a manifest speaks of is here. */
export async function isHere({ size, sha256: hash }: ManifestFile, local: string): Promise<boolean> {
  const found = await lstat(local).catch(() => null)
  if (!found?.isFile() || found.size !== size) return false
  return (await hashFile(local)) === hash
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
