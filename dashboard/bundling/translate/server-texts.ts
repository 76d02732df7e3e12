import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PAUSE_REASONS } from '../../../contract/agents/schedule-options.ts'
import { ENDPOINT_PAUSES } from '../../../contract/connections/connector-endpoint-options.ts'
import { SOURCE_PAUSES } from '../../../contract/knowledge/source-options.ts'
import { type Area, lineAt, repositoryPath, type UsedText } from './catalogue.ts'
import { findMessages } from './find-messages.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Contract texts in emails, which the server translates by their English text. */
const MAILED_TABLES = {
  'contract/agents/schedule-options.ts': PAUSE_REASONS,
  'contract/connections/connector-endpoint-options.ts': ENDPOINT_PAUSES,
  'contract/knowledge/source-options.ts': SOURCE_PAUSES,
}

/** The contract's own tag: API messages and tool summaries stay in English. */
const UNTRANSLATED_TAG = /import \{[^}]*\btextWithNames\b[^}]*\} from/

/** Texts in emails (`server/mail/words.ts`), each once. */
export function serverTexts(modules = serverModules()): UsedText[] {
  const texts = new Map<string, UsedText>()
  const add = (text: UsedText) => texts.has(text.key) || texts.set(text.key, text)
  for (const [path, code] of modules)
    for (const { key, kind, start } of findMessages(path, code))
      if (kind === 'text' || kind === 'template') add({ key, path, line: lineAt(code, start) })
  for (const [path, table] of Object.entries(MAILED_TABLES))
    for (const key of Object.values(table)) add({ key, path, line: 1 })
  return [...texts.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

export function serverModules(): Map<string, string> {
  const files = globSync(join(ROOT, 'server/**/*.ts')).filter((file) => !file.endsWith('.test.ts'))
  const modules = files.map((file) => [repositoryPath(file), readFileSync(file, 'utf8')] as const)
  // Parsing is slow.
  return new Map(
    modules.filter(([, code]) => /\bt`|\btextWithNames`/.test(code) && !UNTRANSLATED_TAG.test(code)),
  )
}

export const serverCatalogueFile = (language: string) => join(ROOT, 'server/languages', `${language}.json`)

export const readServerCatalogue = (language: string): Area =>
  JSON.parse(readFileSync(serverCatalogueFile(language), 'utf8')) as Area
