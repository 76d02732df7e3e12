import type { Dirent, Stats } from 'node:fs'
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { LocalFile } from './upload.ts'

/** A local file or folder to upload. */
export type Local =
  | (LocalFile & { kind: 'file' })
  | { kind: 'folder'; path: string; name: string; children: Local[] }
  /** Skipped with a reason, or unreadable. */
  | { kind: 'left out' | 'unreadable'; path: string; name: string; reason: string }

/** Scans a file or folder. A link given as an argument is followed; links inside only with --follow. */
export async function scanLocal(path: string, follow: boolean): Promise<Local> {
  const name = basename(resolve(path))
  return look({ path, name, follow, above: [] }, () => stat(path))
}

export function countOf(local: Local): { files: number; bytes: number } {
  if (local.kind === 'file') return { files: 1, bytes: local.size }
  const sum = { files: 0, bytes: 0 }
  for (const child of local.kind === 'folder' ? local.children : []) {
    const { files, bytes } = countOf(child)
    sum.files += files
    sum.bytes += bytes
  }
  return sum
}

interface Spot {
  path: string
  name: string
  follow: boolean
  /** The resolved parent folders: a link to one of them would be a cycle. */
  above: string[]
}

async function look(spot: Spot, statOf: () => Promise<Stats>): Promise<Local> {
  const { path, name, follow, above } = spot
  try {
    const found = await statOf()
    if (found.isFile()) return { kind: 'file', path, name, size: found.size }
    if (found.isSymbolicLink())
      return { kind: 'left out', path, name, reason: 'symbolic link; use --follow to upload its target' }
    if (!found.isDirectory()) return { kind: 'left out', path, name, reason: 'not a file or folder' }
    const real = await realpath(path)
    if (above.includes(real))
      return { kind: 'left out', path, name, reason: 'symbolic link to a parent folder' }
    const entries = (await readdir(path, { withFileTypes: true })).sort(byName)
    const children: Local[] = []
    for (const entry of entries) {
      const inside = { path: join(path, entry.name), name: entry.name, follow, above: [...above, real] }
      children.push(await look(inside, () => (follow ? stat : lstat)(inside.path)))
    }
    return { kind: 'folder', path, name, children }
  } catch (error) {
    return { kind: 'unreadable', path, name, reason: (error as Error).message }
  }
}

const byName = (a: Dirent, b: Dirent) => (a.name < b.name ? -1 : 1)
