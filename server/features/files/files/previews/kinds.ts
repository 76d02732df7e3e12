import { dictionary } from '../../../../../contract/dictionary.ts'
import { languageOf } from './languages.ts'

export type Kind = 'text' | 'csv' | 'workbook' | 'docx' | 'markdown' | 'pdf' | 'image' | 'unsupported'

/** The preview kind of a file, by type, and by extension if the type is generic. */
export function kindOf(mimeType: string, name: string): { kind: Kind; language: string | null } {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const language = languageOf(mimeType, extension)
  const isGeneric = GENERIC_TYPES.has(mimeType)
  const kind = KINDS[mimeType] ?? (isGeneric ? EXTENSIONS[extension] : undefined)
  if (kind) return { kind, language: null }
  const isText = TEXT_TYPES.test(mimeType) || (isGeneric && language !== null)
  return isText ? { kind: 'text', language } : { kind: 'unsupported', language: null }
}

const GENERIC_TYPES = new Set(['text/plain', 'application/octet-stream', ''])

/** HTML and SVG are shown as source text, never rendered. */
const TEXT_TYPES =
  /^text\/(?!rtf|richtext)|[+/](json|xml)$|^application\/((x-)?(javascript|typescript|ecmascript|sh|shellscript|httpd-php|perl|python|ruby|yaml|toml|sql|ndjson|jsonlines|tex|latex)|graphql|json5|xml-dtd)$/

const OFFICE = 'application/vnd.openxmlformats-officedocument'

const KINDS: Record<string, Kind> = dictionary({
  'text/csv': 'csv',
  'application/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
  'application/pdf': 'pdf',
  [`${OFFICE}.wordprocessingml.document`]: 'docx',
  [`${OFFICE}.wordprocessingml.template`]: 'docx',
  'application/vnd.ms-word.document.macroenabled.12': 'docx',
  [`${OFFICE}.spreadsheetml.sheet`]: 'workbook',
  [`${OFFICE}.spreadsheetml.template`]: 'workbook',
  'application/vnd.ms-excel': 'workbook',
  'application/vnd.ms-excel.sheet.macroenabled.12': 'workbook',
  'application/vnd.ms-excel.sheet.binary.macroenabled.12': 'workbook',
  'application/vnd.oasis.opendocument.spreadsheet': 'workbook',
  'image/png': 'image',
  'image/jpeg': 'image',
  'image/gif': 'image',
  'image/webp': 'image',
  'image/avif': 'image',
})

const EXTENSIONS: Record<string, Kind> = dictionary({
  csv: 'csv',
  tsv: 'csv',
  md: 'markdown',
  markdown: 'markdown',
})
