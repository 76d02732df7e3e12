import { encodePath } from '../../../contract/projects/manifest-paths.ts'
import { sha256 } from '../../security/digest.ts'
import type { ProjectFile } from '../files/files.ts'

/** A file of a project with the name that it has in a manifest. */
export interface KeyedFile {
  /** Its record here. */
  id: string
  /** The same wherever it is restored. */
  key: string
  path: string
  name: string
  mimeType: string
  size: number
  sha256: string
}

/** The files of a project as a manifest lists them, in its order. What has no bytes, such as a dead link, is not there. */
export function assignFileKeys(all: ProjectFile[]): KeyedFile[] {
  const found = all
    .filter(({ source }) => source !== 'folder')
    .flatMap((file) => (file.sha256 ? [{ ...file, sha256: file.sha256, path: encodePath(file.path) }] : []))
    .sort((a, b) => compare(a.path, b.path) || compare(a.sha256, b.sha256) || compare(a.id, b.id))
  const keyOf = createFileKeys()
  return found.map((file) => ({ ...file, key: keyOf(file) }))
}

/** Names files by path and content; of several that agree in both, the first is the first again elsewhere. */
export function createFileKeys(): (file: { path: string; sha256: string }) => string {
  const counts = new Map<string, number>()
  return ({ path, sha256: hash }) => {
    const name = `${path}\n${hash}`
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return uuidOf(`${name}\n${count}`)
  }
}

/** Version 8 of RFC 9562: bits of one's own choosing. */
function uuidOf(text: string): string {
  const bytes = sha256(text).subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
