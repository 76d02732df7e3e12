import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const PROJECT = join(import.meta.dirname, '..')

/** The programs that `npm ci` bundles, and the folders of their modules. */
export const BUNDLES = {
  server: { source: 'server/startup/main.ts', folders: ['server', 'contract', 'markdown'] },
  cli: { source: 'cli/main.ts', folders: ['cli', 'client', 'contract'] },
}

/** @type {(name: string, project?: string) => string} */
export const bundleFolder = (name, project = PROJECT) => join(project, 'dist', name)

/**
 * The URL of the program to import: the bundle, or the source if there is no bundle or if a module or package is newer.
 * @type {(name: keyof typeof BUNDLES, project?: string) => string}
 */
export function currentProgram(name, project = PROJECT) {
  const { source, folders } = BUNDLES[name]
  const bundle = join(bundleFolder(name, project), 'main.js')
  const isCurrent =
    existsSync(bundle) && !hasNewerFile(project, [...folders, 'package-lock.json'], statSync(bundle).mtimeMs)
  return pathToFileURL(isCurrent ? bundle : join(project, source)).href
}

/** @type {(folder: string, names: string[], sinceMs: number) => boolean} */
function hasNewerFile(folder, names, sinceMs) {
  return names.some((name) => {
    if (name.endsWith('.test.ts')) return false
    const path = join(folder, name)
    const { mtimeMs, isDirectory } = statOf(path)
    return isDirectory ? hasNewerFile(path, readdirSync(path), sinceMs) : mtimeMs > sinceMs
  })
}

/** @type {(path: string) => { mtimeMs: number, isDirectory: boolean }} */
function statOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  return { mtimeMs: stats?.mtimeMs ?? 0, isDirectory: stats?.isDirectory() ?? false }
}
