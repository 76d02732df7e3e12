import { dictionary } from '../../../../../contract/dictionary.ts'
/** The language for syntax highlighting, by its usual name; null for plain text. */
export function languageOf(mimeType: string, extension: string): string | null {
  return BY_TYPE[mimeType] ?? BY_EXTENSION.get(extension) ?? bySuffix(mimeType)
}

function bySuffix(mimeType: string): string | null {
  if (mimeType.endsWith('+json')) return 'json'
  if (mimeType.endsWith('+xml')) return 'xml'
  const named = /^text\/x-(\w+)$/.exec(mimeType)?.[1]
  return named !== undefined && named in EXTENSIONS ? named : null
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

const EXTENSIONS: Record<string, string> = dictionary({
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
  Object.entries(EXTENSIONS).flatMap(([language, list]) =>
    list.split(' ').map((extension) => [extension, language]),
  ),
)
