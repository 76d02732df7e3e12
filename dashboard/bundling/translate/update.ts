import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Area, areaOf, bundledModules, catalogueFile, LANGUAGES, readCatalogue } from './catalogue.ts'
import { findMessages } from './find-messages.ts'

/** `npm run words`: adds missing words to the catalogues, untranslated, and removes words that the dashboard lacks. */
for (const language of LANGUAGES) {
  const oldCatalogue = readCatalogue(language)
  const areas = new Map<string, Set<string>>()
  for (const [path, code] of bundledModules(join(import.meta.dirname, '../../main.tsx')))
    for (const { key } of findMessages(path, code)) {
      const area = areaOf(path)
      areas.set(area, (areas.get(area) ?? new Set()).add(key))
    }
  const uses = new Map<string, number>()
  for (const keys of areas.values()) for (const key of keys) uses.set(key, (uses.get(key) ?? 0) + 1)
  const common = new Set(
    [...uses].filter(([key, count]) => count > 1 || areas.get('common')!.has(key)).map(([key]) => key),
  )
  let missing = 0
  for (const [area, keys] of new Map([...areas, ['common', common]])) {
    const translations = oldCatalogue.get(area) ?? {}
    const updated: Area = {}
    for (const key of [...keys].toSorted()) {
      // A word that several areas have is in `common`, unless one of them translates it differently.
      if (area !== 'common' && common.has(key) && !translations[key]) continue
      // A word that moves to `common` keeps the translation of its first area.
      updated[key] = translations[key] || (area === 'common' ? firstTranslation(oldCatalogue, key) : '')
      if (!updated[key]) missing++
    }
    const file = catalogueFile(language, area)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${JSON.stringify(updated, null, 2)}\n`)
  }
  console.log(`${language}: ${missing} words without a translation`)
}

function firstTranslation(areas: ReadonlyMap<string, Area>, key: string): string {
  return [...areas.values()].map((area) => area[key]).find(Boolean) ?? ''
}
