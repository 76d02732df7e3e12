import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** C headers in the `node` package, for compiling add-ons: 67 MB. */
const NODE_HEADERS = /^node\/node_modules\/node-[^/]+\/include$/

/** Deletes source maps (87 MB) and Node's headers, which nothing loads. */
export async function removeUnusedFiles(modules: string, folder = ''): Promise<void> {
  const entries = await readdir(join(modules, folder), { withFileTypes: true })
  for (const entry of entries) {
    const path = folder ? `${folder}/${entry.name}` : entry.name
    const isUnused = entry.isDirectory() ? NODE_HEADERS.test(path) : entry.name.endsWith('.map')
    if (isUnused) await rm(join(modules, path), { recursive: true })
    else if (entry.isDirectory()) await removeUnusedFiles(modules, path)
  }
}
