import type { Dirent, Stats } from 'node:fs'
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { LocalFile } from './upload.ts'

export type LocalEntry =
  | (LocalFile & { kind: 'file' })
  | { kind: 'folder'; path: string; name: string; children: LocalEntry[] }
  | { kind: 'skipped' | 'unreadable'; path: string; name: string; reason: string }

/** Follows a symbolic link passed as an argument, but links inside folders only with --follow. */
export async function scanLocal(path: string, follow: boolean): Promise<LocalEntry> {
  const name = basename(resolve(path))
  return scan({ path, name, follow, ancestors: [] }, () => stat(path))
}

export function countLocalFiles(local: LocalEntry): { files: number; bytes: number } {
  if (local.kind === 'file') return { files: 1, bytes: local.size }
  const sum = { files: 0, bytes: 0 }
  for (const child of local.kind === 'folder' ? local.children : []) {
    const { files, bytes } = countLocalFiles(child)
    sum.files += files
    sum.bytes += bytes
  }
  return sum
}

interface Entry {
  path: string
  name: string
  follow: boolean
  /** Resolved parent folders: a link to one would be a cycle. */
  ancestors: string[]
}

async function scan(entry: Entry, statOf: () => Promise<Stats>): Promise<LocalEntry> {
  const { path, name, follow, ancestors } = entry
  try {
    const stats = await statOf()
    if (stats.isFile()) return { kind: 'file', path, name, size: stats.size }
    if (stats.isSymbolicLink())
      return { kind: 'skipped', path, name, reason: 'symbolic link; use --follow to upload its target' }
    if (!stats.isDirectory()) return { kind: 'skipped', path, name, reason: 'not a file or folder' }
    const real = await realpath(path)
    if (ancestors.includes(real))
      return { kind: 'skipped', path, name, reason: 'symbolic link to a parent folder' }
    const dirents = (await readdir(path, { withFileTypes: true })).sort(byName)
    const children: LocalEntry[] = []
    for (const dirent of dirents) {
      const child = {
        path: join(path, dirent.name),
        name: dirent.name,
        follow,
        ancestors: [...ancestors, real],
      }
      children.push(await scan(child, () => (follow ? stat : lstat)(child.path)))
    }
    return { kind: 'folder', path, name, children }
  } catch (error) {
    return { kind: 'unreadable', path, name, reason: (error as Error).message }
  }
}

const byName = (a: Dirent, b: Dirent) => (a.name < b.name ? -1 : 1)
