import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const UNUSED_FOLDERS = [
  // C headers, for compiling add-ons: 67 MB.
  /^node\/node_modules\/node-[^/]+\/include$/,
  // Each icon as a picture, 15 MB on disk: the module contains their paths.
  /^simple-icons\/icons$/,
  // Themes, 5 MB on disk: the dashboard has its own colors.
  /^highlight\.js\/(scss|styles)$/,
]

/** Deletes source maps (87 MB) and folders that nothing loads. */
export async function removeUnusedFiles(modules: string, folder = ''): Promise<void> {
  const entries = await readdir(join(modules, folder), { withFileTypes: true })
  for (const entry of entries) {
    const path = folder ? `${folder}/${entry.name}` : entry.name
    const isUnused = entry.isDirectory()
      ? UNUSED_FOLDERS.some((pattern) => pattern.test(path))
      : entry.name.endsWith('.map')
    if (isUnused) await rm(join(modules, path), { recursive: true })
    else if (entry.isDirectory()) await removeUnusedFiles(modules, path)
  }
}
