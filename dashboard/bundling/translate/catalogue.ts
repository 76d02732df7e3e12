import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { DEFAULT_LANGUAGE, LANGUAGE_CODES } from '../../../contract/languages.ts'
import { findMessages } from './find-messages.ts'

const ROOT = join(import.meta.dirname, '../../..')
const FOLDER = join(ROOT, 'dashboard/languages')

export const SOURCE_LANGUAGE: string = DEFAULT_LANGUAGE

/** Besides English. */
export const LANGUAGES: string[] = LANGUAGE_CODES.filter((language) => language !== DEFAULT_LANGUAGE)

/** Translations by English text. */
export type Area = Record<string, string>

/** Areas are `common` and one per page folder. */
export function readCatalogue(language: string): Map<string, Area> {
  const files = globSync(join(FOLDER, language, '*.json'))
  return new Map(
    files.map((file) => [basename(file, '.json'), JSON.parse(readFileSync(file, 'utf8')) as Area]),
  )
}

export const catalogueFile = (language: string, area: string) => join(FOLDER, language, `${area}.json`)

export const repositoryPath = (file: string) => relative(ROOT, file).replaceAll('\\', '/')

/** Texts are looked up in this area first, then in `common`. */
export const moduleArea = (path: string): string =>
  /^dashboard\/pages\/([\w-]+)\//.exec(path)?.[1] ?? 'common'

export const translator =
  (catalogue: ReadonlyMap<string, Area>, path: string) =>
  (key: string): string | undefined =>
    catalogue.get(moduleArea(path))?.[key] || catalogue.get('common')?.[key] || undefined

export interface UsedText {
  key: string
  path: string
  line: number
}

/** Each once per area. */
export function usedTexts(modules = bundledModules()): UsedText[] {
  const used = new Map<string, UsedText>()
  for (const [path, code] of modules)
    for (const { key, start } of findMessages(path, code)) {
      const place = `${moduleArea(path)} ${key}`
      if (!used.has(place)) used.set(place, { key, path, line: lineAt(code, start) })
    }
  return [...used.values()]
}

export const lineAt = (code: string, at: number): number => code.slice(0, at).split('\n').length

/** `common` serves all areas. */
export function unusedEntries(
  catalogue: ReadonlyMap<string, Area>,
  texts: readonly UsedText[],
): { area: string; key: string }[] {
  const used = new Set(texts.flatMap(({ key, path }) => [`${moduleArea(path)} ${key}`, `common ${key}`]))
  return [...catalogue].flatMap(([area, entries]) =>
    Object.keys(entries)
      .filter((key) => !used.has(`${area} ${key}`))
      .map((key) => ({ area, key })),
  )
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\b)[^'"]*?from\s+'([^']+)'|(?:^|\n)import\s+'([^']+)'|\bimport\('([^']+)'\)/g

export function bundledModules(): Map<string, string> {
  const modules = new Map<string, string>()
  const queue = [join(ROOT, 'dashboard/main.tsx')]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (modules.has(repositoryPath(file))) continue
    const code = readFileSync(file, 'utf8')
    modules.set(repositoryPath(file), code)
    for (const [, named, bare, lazy] of code.matchAll(IMPORT)) {
      const target = named ?? bare ?? lazy!
      if (/^\..*\.tsx?$/.test(target)) queue.push(join(dirname(file), target))
    }
  }
  return modules
}
