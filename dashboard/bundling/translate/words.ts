import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  type Area,
  catalogueFile,
  LANGUAGES,
  moduleArea,
  readCatalogue,
  repositoryPath,
  translator,
  type UsedText,
  unusedEntries,
  usedTexts,
} from './catalogue.ts'
import { readServerCatalogue, serverCatalogueFile, serverTexts } from './server-texts.ts'

/**
 * `npm run words` lists texts without a translation and translations without a text, of the dashboard and of emails.
 * `-- --write` adds the former, empty, and removes the latter.
 */
const texts = usedTexts()
const mailed = serverTexts()
for (const language of LANGUAGES) {
  if (process.argv.includes('--write')) {
    update(language)
    updateServer(language)
  }
  const catalogue = readCatalogue(language)
  const serverCatalogue = readServerCatalogue(language)
  const used = new Set(mailed.map(({ key }) => key))
  report(
    language,
    [
      ...texts.filter(({ path, key }) => !translator(catalogue, path)(key)),
      ...mailed.filter(({ key }) => !serverCatalogue[key]),
    ],
    [
      ...unusedEntries(catalogue, texts).map(({ area, key }) => ({
        file: catalogueFile(language, area),
        key,
      })),
      ...Object.keys(serverCatalogue)
        .filter((key) => !used.has(key))
        .map((key) => ({ file: serverCatalogueFile(language), key })),
    ],
  )
}

function report(language: string, missing: UsedText[], unused: { file: string; key: string }[]): void {
  console.log(`${language}: texts without a translation: ${missing.length}`)
  for (const { path, line, key } of missing) console.log(`  ${path}:${line}: ${JSON.stringify(key)}`)
  console.log(`${language}: translations without a text: ${unused.length}`)
  for (const { file, key } of unused) console.log(`  ${repositoryPath(file)}: ${JSON.stringify(key)}`)
}

function update(language: string): void {
  const catalogue = readCatalogue(language)
  const areas = Map.groupBy(texts, ({ path }) => moduleArea(path))
  // A text used in several areas is in `common`, unless one translates it differently.
  const common = [...Map.groupBy(texts, ({ key }) => key)]
    .filter(([, uses]) => uses.length > 1 || moduleArea(uses[0]!.path) === 'common')
    .map(([key]) => key)
  const isCommon = new Set(common)
  for (const area of new Set([...catalogue.keys(), ...areas.keys()])) {
    const translations = catalogue.get(area) ?? {}
    const keys = area === 'common' ? common : (areas.get(area) ?? []).map(({ key }) => key)
    const updated: Area = {}
    for (const key of keys.toSorted()) {
      if (area !== 'common' && isCommon.has(key) && !translations[key]) continue
      // A text that moves from or to `common` keeps a translation.
      updated[key] = translations[key] || firstTranslation(catalogue, key)
    }
    write(catalogueFile(language, area), updated)
  }
}

function updateServer(language: string): void {
  const catalogue = readServerCatalogue(language)
  const entries = mailed.map(({ key }) => [key, catalogue[key] ?? ''])
  write(serverCatalogueFile(language), Object.fromEntries(entries) as Area)
}

function write(file: string, entries: Area): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(entries, null, 2)}\n`)
}

function firstTranslation(areas: ReadonlyMap<string, Area>, key: string): string {
  return [...areas.values()].map((area) => area[key]).find(Boolean) ?? ''
}
