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
  unusedEntries,
  usedTexts,
} from './catalogue.ts'

/**
 * `npm run words` lists texts without a translation and translations without a text. `-- --write` adds the former,
 * empty, and removes the latter.
 */
const texts = usedTexts()
for (const language of LANGUAGES) {
  if (process.argv.includes('--write')) update(language)
  const catalogue = readCatalogue(language)
  const missing = texts.filter(({ path, key }) => !translator(catalogue, path)(key))
  const unused = unusedEntries(catalogue, texts)
  console.log(`${language}: texts without a translation: ${missing.length}`)
  for (const { path, line, key } of missing) console.log(`  ${path}:${line}: ${JSON.stringify(key)}`)
  console.log(`${language}: translations without a text: ${unused.length}`)
  for (const { area, key } of unused)
    console.log(`  ${repositoryPath(catalogueFile(language, area))}: ${JSON.stringify(key)}`)
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
    const file = catalogueFile(language, area)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${JSON.stringify(updated, null, 2)}\n`)
  }
}

function firstTranslation(areas: ReadonlyMap<string, Area>, key: string): string {
  return [...areas.values()].map((area) => area[key]).find(Boolean) ?? ''
}
