import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')
const FOLDER = join(ROOT, 'dashboard/languages')

/** The languages besides English. */
export const LANGUAGES = ['de']

/** Translations by English words, of one area of the dashboard. */
export type Area = Record<string, string>

/** The areas of a language: `common`, and one for each folder of pages. */
export function readCatalogue(language: string): Map<string, Area> {
  const files = globSync(join(FOLDER, language, '*.json'))
  return new Map(
    files.map((file) => [basename(file, '.json'), JSON.parse(readFileSync(file, 'utf8')) as Area]),
  )
}

export const catalogueFile = (language: string, area: string) => join(FOLDER, language, `${area}.json`)

export const pathOf = (file: string) => relative(ROOT, file).replaceAll('\\', '/')

/** The area that a module belongs to: its words are looked up there first, then in `common`. */
export const areaOf = (path: string): string => /^dashboard\/pages\/([\w-]+)\//.exec(path)?.[1] ?? 'common'

export const translator =
  (catalogue: ReadonlyMap<string, Area>, path: string) =>
  (key: string): string | undefined =>
    catalogue.get(areaOf(path))?.[key] || catalogue.get('common')?.[key] || undefined

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\b)[^'"]*?from\s+'([^']+)'|(?:^|\n)import\s+'([^']+)'|\bimport\('([^']+)'\)/g

/** The modules that the dashboard imports, as paths of the repository with their source: those of the bundle. */
export function bundledModules(entry: string): Map<string, string> {
  const modules = new Map<string, string>()
  const queue = [entry]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (modules.has(pathOf(file))) continue
    const code = readFileSync(file, 'utf8')
    modules.set(pathOf(file), code)
    for (const [, named, bare, lazy] of code.matchAll(IMPORT)) {
      const target = named ?? bare ?? lazy!
      if (/^\..*\.tsx?$/.test(target)) queue.push(join(dirname(file), target))
    }
  }
  return modules
}
