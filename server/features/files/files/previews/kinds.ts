import { dictionary } from '../../../../../contract/dictionary.ts'

export type Kind =
  | 'text'
  | 'csv'
  | 'workbook'
  | 'docx'
  | 'pptx'
  | 'markdown'
  | 'pdf'
  | 'image'
  | 'unsupported'

export function previewKind(mimeType: string, name: string): { kind: Kind; language: string | null } {
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
  [`${OFFICE}.presentationml.presentation`]: 'pptx',
  [`${OFFICE}.presentationml.slideshow`]: 'pptx',
  [`${OFFICE}.presentationml.template`]: 'pptx',
  'application/vnd.ms-powerpoint.presentation.macroenabled.12': 'pptx',
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

function languageOf(mimeType: string, extension: string): string | null {
  return BY_TYPE[mimeType] ?? BY_EXTENSION.get(extension) ?? bySuffix(mimeType)
}

function bySuffix(mimeType: string): string | null {
  if (mimeType.endsWith('+json')) return 'json'
  if (mimeType.endsWith('+xml')) return 'xml'
  const named = /^text\/x-(\w+)$/.exec(mimeType)?.[1]
  return named !== undefined && named in LANGUAGE_EXTENSIONS ? named : null
}

const BY_TYPE: Record<string, string> = dictionary({
  'application/json': 'json',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'text/html': 'html',
  'text/css': 'css',
  'text/javascript': 'javascript',
  'application/javascript': 'javascript',
  'application/sql': 'sql',
  'application/yaml': 'yaml',
  'application/toml': 'toml',
})

const LANGUAGE_EXTENSIONS: Record<string, string> = dictionary({
  javascript: 'js mjs cjs jsx',
  typescript: 'ts mts cts tsx',
  json: 'json webmanifest',
  jsonlines: 'jsonl ndjson',
  python: 'py pyi',
  ruby: 'rb',
  go: 'go',
  rust: 'rs',
  java: 'java',
  kotlin: 'kt kts',
  swift: 'swift',
  scala: 'scala',
  c: 'c h',
  cpp: 'cpp cc cxx hpp hh',
  csharp: 'cs',
  php: 'php',
  perl: 'pl pm',
  lua: 'lua',
  r: 'r',
  dart: 'dart',
  elixir: 'ex exs',
  bash: 'sh bash zsh',
  powershell: 'ps1',
  sql: 'sql',
  graphql: 'graphql gql',
  html: 'html htm xhtml',
  xml: 'xml xsl xsd plist svg',
  css: 'css',
  scss: 'scss',
  less: 'less',
  vue: 'vue',
  svelte: 'svelte',
  yaml: 'yaml yml',
  toml: 'toml',
  ini: 'ini cfg conf env properties',
  diff: 'diff patch',
  dockerfile: 'dockerfile',
  protobuf: 'proto',
  latex: 'tex',
  log: 'log',
})

const BY_EXTENSION = new Map(
  Object.entries(LANGUAGE_EXTENSIONS).flatMap(([language, list]) =>
    list.split(' ').map((extension) => [extension, language]),
  ),
)
