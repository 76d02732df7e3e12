import { encodePath } from '../../../../contract/projects/manifest-paths.ts'
import { inSlices } from '../../../concurrency/slices.ts'
import { sha256 } from '../../../security/digest.ts'
import type { projectFiles } from '../../files/files/files.ts'

export interface KeyedFile {
  id: string
  /** Equal in every project that the manifest is restored into. */
  key: string
  path: string
  name: string
  mimeType: string
  size: number
  sha256: string
}

/** In manifest order. Omits files without content, such as broken links. */
export async function assignFileKeys(all: projectFiles.ProjectFile[]): Promise<KeyedFile[]> {
  const filesWithContent = all
    .filter(({ source }) => source !== 'folder')
    .flatMap((file) => (file.sha256 ? [{ ...file, sha256: file.sha256, path: encodePath(file.path) }] : []))
    .sort((a, b) => compare(a.path, b.path) || compare(a.sha256, b.sha256) || compare(a.id, b.id))
  const keyOf = createFileKeys()
  const keyed: KeyedFile[] = []
  await inSlices(filesWithContent, (file) => keyed.push({ ...file, key: keyOf(file) }))
  return keyed
}

/** Derived from path and content, so they're equal wherever the files are restored. */
export function createFileKeys(): (file: { path: string; sha256: string }) => string {
  const counts = new Map<string, number>()
  return ({ path, sha256: hash }) => {
    const name = `${path}\n${hash}`
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return hashToUuid(`${name}\n${count}`)
  }
}

/** UUIDv8 (RFC 9562) with custom bits. */
export function hashToUuid(text: string): string {
  const bytes = sha256(text).subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
