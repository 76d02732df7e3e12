import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { featureOf, publicModuleOf } from './features.ts'
import { productImports, sources, textOf } from './imports.ts'
import { READERS } from './reads.ts'
import { OWNERS } from './tables.ts'

/** `npm run architecture`: draws the tables in ARCHITECTURE.md from the tree. */
export const ARCHITECTURE_FILE = join(import.meta.dirname, '../../ARCHITECTURE.md')

/** The document with fresh tables between its marks. */
export function withOverview(document: string): string {
  return [
    { mark: 'features', drawing: drawFeatures() },
    { mark: 'reads', drawing: drawReads(READERS, OWNERS) },
  ].reduce(replaceBetweenMarks, document)
}

/** Features from the bottom of the graph to the top. A feature is one level above the highest one that it imports. */
function drawFeatures(): string {
  const features = [...new Set(sources.map(featureOf))].filter((name) => name !== undefined).sort()
  const imports = new Map(features.map((name) => [name, importedFeatures(name)]))
  const levelOf = (name: string): number => 1 + Math.max(0, ...imports.get(name)!.map(levelOf))
  const rows = features
    .map((name) => ({ name, level: levelOf(name), imports: imports.get(name)! }))
    .sort((a, b) => a.level - b.level)
  return table(
    ['Level', 'Feature', 'What it does', 'Imports'],
    rows.map(({ name, level, imports }) => [
      String(level),
      `\`${name}\``,
      summaryOf(name),
      imports.map((imported) => shortName(imported, name)).join(', '),
    ]),
  )
}

/** Which features read tables that another one owns, by owner. */
export function drawReads(readers: Record<string, string[]>, owners: Record<string, string>): string {
  const rows = Object.entries(readers)
    .filter(([, names]) => names.length > 0)
    .map(([name, names]) => [
      shortPath(owners[name] ?? ''),
      `\`${name}\``,
      names.map(shortPath).sort().join(', '),
    ])
    .sort(([a, b], [c, d]) => `${a} ${b}`.localeCompare(`${c} ${d}`))
  return rows.length === 0 ? 'None are declared.' : table(['Owner', 'Table', 'Readers'], rows)
}

function importedFeatures(feature: string): string[] {
  const imported = productImports
    .filter(({ from }) => featureOf(from) === feature)
    .map(({ to }) => featureOf(to))
    .filter((to) => to !== undefined && to !== feature)
  return [...new Set(imported as string[])].sort()
}

/** The first sentence above the exported feature, or of the module's first comment if it exports none. */
function summaryOf(feature: string): string {
  const module = publicModuleOf(feature)
  const text = existsSync(join(ARCHITECTURE_FILE, '..', module)) ? textOf(module) : ''
  const comments = [...text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(.*(?:\n(?!\n).*){0,5})/g)]
  const own = comments.find(([, , code]) => /^export (const|function) [\s\S]*?: Feature\b/.test(code!))
  const [, comment = ''] = own ?? comments[0] ?? []
  const words = comment.replace(/\s*\n \* ?/g, ' ').trim()
  return /^.*?(?=\.(\s|$))/.exec(words)?.[0] ?? words
}

/** A feature of the same group without the name of the group. */
const shortName = (feature: string, reader: string) =>
  feature.startsWith(`${reader.split('/')[0]}/`) ? feature.split('/')[1]! : feature

const shortPath = (folder: string) => folder.replace(/^server\/(features\/)?/, '')

const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

function replaceBetweenMarks(document: string, { mark, drawing }: { mark: string; drawing: string }): string {
  const [begin, end] = [`<!-- ${mark}: npm run architecture writes this table -->`, `<!-- end of ${mark} -->`]
  return document.replace(new RegExp(`${begin}[\\s\\S]*${end}`), () => `${begin}\n\n${drawing}\n\n${end}`)
}

if (import.meta.main) writeFileSync(ARCHITECTURE_FILE, withOverview(readFileSync(ARCHITECTURE_FILE, 'utf8')))
