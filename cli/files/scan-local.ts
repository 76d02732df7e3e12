import type { Dirent, Stats } from 'node:fs'
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { LocalFile } from './upload.ts'

/** What is on this machine, as it will be sent. */
export type Local =
  | (LocalFile & { kind: 'file' })
  | { kind: 'folder'; path: string; name: string; children: Local[] }
  /** Neither: it is left out, with the reason, or it cannot be read. */
  | { kind: 'left out' | 'unreadable'; path: string; name: string; reason: string }

/** Looks through a file or folder. A link that is named is followed; those within only if that is wished. */
export async function survey(path: string, follow: boolean): Promise<Local> {
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
  /** The real folders on the way here: a link to one of them would lead round in a circle. */
  above: string[]
}

async function look(spot: Spot, statOf: () => Promise<Stats>): Promise<Local> {
  const { path, name, follow, above } = spot
  try {
    const found = await statOf()
    if (found.isFile()) return { kind: 'file', path, name, size: found.size }
    if (found.isSymbolicLink())
      return { kind: 'left out', path, name, reason: 'a symbolic link; --follow sends what it leads to' }
    if (!found.isDirectory()) return { kind: 'left out', path, name, reason: 'neither a file nor a folder' }
    const real = await realpath(path)
    if (above.includes(real))
      return { kind: 'left out', path, name, reason: 'a link to a folder that it is in' }
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
