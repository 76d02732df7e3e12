import { t } from '../../../contract/text.ts'

/** Each language's name, grammar, file extension, and other names that people write after the fence. */
const LANGUAGES: [grammar: string, label: string, extension: string, aliases: string][] = [
  ['bash', 'Shell', 'sh', 'sh shell zsh console shellscript'],
  ['c', 'C', 'c', 'h'],
  ['cpp', 'C++', 'cpp', 'c++ cc hpp cxx'],
  ['csharp', 'C#', 'cs', 'c# dotnet'],
  ['css', 'CSS', 'css', ''],
  ['dart', 'Dart', 'dart', ''],
  ['diff', 'Diff', 'diff', 'patch'],
  ['dockerfile', 'Dockerfile', 'dockerfile', 'docker'],
  ['elixir', 'Elixir', 'ex', 'exs'],
  ['go', 'Go', 'go', 'golang'],
  ['graphql', 'GraphQL', 'graphql', 'gql'],
  ['http', 'HTTP', 'http', ''],
  ['ini', 'INI', 'ini', 'toml conf env properties'],
  ['java', 'Java', 'java', ''],
  ['javascript', 'JavaScript', 'js', 'jsx mjs cjs node'],
  ['json', 'JSON', 'json', 'jsonc json5 jsonl jsonlines ndjson'],
  ['kotlin', 'Kotlin', 'kt', 'kts'],
  ['latex', 'LaTeX', 'tex', 'tex'],
  ['lua', 'Lua', 'lua', ''],
  ['makefile', 'Makefile', 'mk', 'make mk'],
  ['markdown', 'Markdown', 'md', 'md'],
  ['mermaid', 'Mermaid', 'mmd', ''],
  ['nginx', 'nginx', 'conf', ''],
  ['perl', 'Perl', 'pl', 'pm'],
  ['php', 'PHP', 'php', ''],
  ['powershell', 'PowerShell', 'ps1', 'ps pwsh'],
  ['protobuf', 'Protobuf', 'proto', 'proto'],
  ['python', 'Python', 'py', 'python3'],
  ['r', 'R', 'r', ''],
  ['ruby', 'Ruby', 'rb', ''],
  ['rust', 'Rust', 'rs', ''],
  ['scala', 'Scala', 'scala', ''],
  ['scss', 'SCSS', 'scss', 'less sass'],
  ['sql', 'SQL', 'sql', 'postgresql postgres mysql sqlite pgsql tsql'],
  ['swift', 'Swift', 'swift', ''],
  ['typescript', 'TypeScript', 'ts', 'tsx mts cts'],
  ['xml', 'XML', 'xml', 'svg rss plist'],
  ['xml', 'HTML', 'html', 'htm vue svelte xhtml'],
  ['yaml', 'YAML', 'yaml', 'yml'],
]

interface Language {
  grammar: string | null
  label: string
  extension: string
}

const BY_NAME = new Map<string, Language>(
  LANGUAGES.flatMap(([grammar, label, extension, aliases]) =>
    [label === 'HTML' ? 'html' : grammar, extension, ...aliases.split(' ')]
      .filter(Boolean)
      .map((name) => [name, { grammar, label, extension }]),
  ),
)

/** A language without a grammar shows its name as written. */
export function languageOf(name: string | null): Language {
  const known = name === null ? undefined : BY_NAME.get(name.toLowerCase())
  return known ?? { grammar: null, label: name ?? t`Text`, extension: 'txt' }
}
