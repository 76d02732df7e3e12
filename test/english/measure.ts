import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { usedTexts } from '../../dashboard/bundling/translate/catalogue.ts'

const ROOT = join(import.meta.dirname, '../..')

/** `limit` is the most that "of" may stand in 1,000 words. Native technical writing has 11 to 13. */
export const KINDS = {
  documents: { limit: 19.8 },
  comments: { limit: 22 },
  messages: { limit: 19.8 },
  screen: { limit: 16.5 },
  titles: { limit: 19.8 },
} as const

export type Kind = keyof typeof KINDS

export interface Text {
  kind: Kind
  path: string
  text: string
  words: string[]
}

/** Collects every text people read, by kind. Code, addresses and inserted values don't count as words. */
export function collectTexts(): Text[] {
  const paths = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n')
  const texts = paths.flatMap((path) => {
    if (path.endsWith('.md')) return readDocument(path)
    if (/\.tsx?$/.test(path) && !path.startsWith('migrations/')) return readModule(path)
    return []
  })
  const screen = usedTexts().map(({ path, key }) => toText('screen', path, key))
  return [...texts, ...screen].filter(({ words }) => words.length > 1)
}

function toText(kind: Kind, path: string, text: string): Text {
  const prose = text.replace(/`[^`]*`|https?:\S+|\$?\{[^}]*\}|<[^>]*>/g, ' ')
  return { kind, path, text: text.trim(), words: prose.match(/[a-z][a-z'’-]*/gi) ?? [] }
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const readDocument = (path: string): Text[] =>
  read(path)
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
    .split(/\n\n|\n(?=[|#-])|\|/)
    .map((text) => toText('documents', path, text))

function readModule(path: string): Text[] {
  const { program, comments } = parseSync(path, read(path))
  const isTest = /\.test\.tsx?$|^test\//.test(path)
  const texts: Text[] = []
  if (isTest) visit(program, (node) => texts.push(...readTitle(path, node)))
  else {
    for (const { value } of comments) texts.push(toText('comments', path, value.replace(/^\s*\*/gm, '')))
    if (/^(cli|contract|server)\//.test(path))
      visit(program, (node) => texts.push(...readMessage(path, node)))
  }
  return texts
}

type Node = Record<string, unknown> & { type: string }

function visit(value: unknown, found: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, found)
  else if (typeof value === 'object' && value !== null) {
    if (typeof (value as Node).type === 'string') found(value as Node)
    // SQL and other tagged templates aren't prose; `t` marks texts that the screen shows, which count there.
    if ((value as Node).type !== 'TaggedTemplateExpression') visit(Object.values(value), found)
  }
}

function readTitle(path: string, { type, callee, arguments: values }: Node): Text[] {
  if (type !== 'CallExpression') return []
  let called = callee as Node
  while (called.type !== 'Identifier') {
    const inner = (called.object ?? called.callee ?? called.tag) as Node | undefined
    if (!inner) return []
    called = inner
  }
  if (!['describe', 'it', 'test'].includes(called.name as string)) return []
  const title = literalText((values as Node[])[0])
  return title === undefined ? [] : [toText('titles', path, title)]
}

/** Sentences start with a capital letter; shorter strings are mostly names. */
function readMessage(path: string, node: Node): Text[] {
  const text = literalText(node)
  if (text === undefined || !/^[A-Z][a-z]* .* /.test(text)) return []
  return [toText('messages', path, text)]
}

function literalText(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type !== 'TemplateLiteral') return undefined
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('{}')
}

export function ofRate(texts: readonly Text[]): number {
  const words = texts.flatMap((text) => text.words)
  return (1000 * words.filter((word) => word.toLowerCase() === 'of').length) / Math.max(1, words.length)
}

/** Texts with the most "of" for their length, worst first. */
export const worstTexts = (texts: readonly Text[]): Text[] =>
  texts.toSorted((a, b) => weight(b) - weight(a)).slice(0, 10)

const weight = ({ words }: Text) =>
  words.filter((word) => word.toLowerCase() === 'of').length / Math.sqrt(words.length)
