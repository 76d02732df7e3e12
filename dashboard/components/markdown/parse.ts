import { createMarkdown, type Token } from '../../../markdown/markdown.ts'
import { safeHref } from './safe-href.ts'

/** A heading's size, or its outline depth, which never skips a level. */
type Level = 1 | 2 | 3

/** `line` is its first source line, from 0. */
export type Part = { line: number } & (
  | { kind: 'heading'; level: Level; depth: Level; inside: Inline[] }
  /** A tight paragraph is list item text without space around it. */
  | { kind: 'paragraph'; isTight: boolean; inside: Inline[] }
  | { kind: 'quote'; inside: Part[] }
  /** `isClosed` is false while a streaming answer still adds lines. */
  | { kind: 'code'; text: string; language: string | null; isClosed: boolean }
  | { kind: 'math'; text: string }
  | { kind: 'rule' }
  | { kind: 'list'; ordered: boolean; start: number; items: ListItem[] }
  | Table
)

export interface ListItem {
  /** Null outside task lists. */
  done: boolean | null
  line: number
  inside: Part[]
}

export interface Table {
  kind: 'table'
  header: Inline[][]
  rows: Inline[][][]
  aligns: ('left' | 'center' | 'right')[]
}

export type Inline =
  | string
  | { kind: 'strong' | 'em' | 'del'; inside: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'math'; text: string; isDisplay: boolean }
  | { kind: 'link'; href: string; inside: Inline[] }
  | Image

export type Image = { kind: 'image'; alt: string } & ({ fileId: string } | { href: string })

const markdown = createMarkdown({ math: true })

export function parseMarkdown(text: string): Part[] {
  return outline(parseFrom(0, text).parts)
}

/**
 * For growing text, such as a streaming answer. Blocks that more text can't change stay the same objects, so they
 * aren't parsed or rendered again with every word.
 */
export function createGrowingParser(): (text: string) => Part[] {
  let known = ''
  let parts: Part[] = []
  let hasDefinitions = false
  return (text) => {
    if (text === known) return parts
    const kept = text.startsWith(known) && !hasDefinitions ? finalParts(parts, known) : []
    // Definitions aren't parts, so they may be above the first one.
    let added = parseFrom(kept.length === 0 ? 0 : parts[kept.length]!.line, text)
    // A link definition changes the text above it.
    if (added.hasDefinitions && kept.length > 0) added = parseFrom(0, text)
    known = text
    hasDefinitions = added.hasDefinitions
    parts = outline(hasDefinitions ? added.parts : [...kept, ...added.parts])
    return parts
  }
}

/**
 * The last line may be incomplete and turn the line above into a table header, so anything that begins there or is open
 * may change.
 */
function finalParts(parts: Part[], text: string): Part[] {
  const lastLine = text.split(LINE_END).length - 1
  return parts.slice(
    0,
    Math.max(
      0,
      parts.findLastIndex(({ line }) => line < lastLine - 1),
    ),
  )
}

const LINE_END = /\r\n?|\n/

function parseFrom(line: number, text: string): { parts: Part[]; hasDefinitions: boolean } {
  const env = {}
  const source = line === 0 ? text : text.split(LINE_END).slice(line).join('\n')
  const parts = readParts(markdown.parse(source, env), line)
  return { parts, hasDefinitions: 'references' in env }
}

/** Never skips a level, whatever the sizes. */
function outline(parts: Part[]): Part[] {
  let above = 0
  return parts.map((part) => {
    if (part.kind !== 'heading') return part
    above = Math.min(part.level, above + 1)
    return part.depth === above ? part : { ...part, depth: above as Level }
  })
}

const LANGUAGE = /^[\w+#.-]{1,30}/

/** `firstLine` is the source line where the text begins. */
function readParts(tokens: Token[], firstLine: number): Part[] {
  let at = 0
  return readUntilClosed(readPart)

  /** Also consumes the closing token. */
  function readUntilClosed<T>(read: (token: Token) => T): T[] {
    const found: T[] = []
    while (at < tokens.length && tokens[at]!.nesting >= 0) found.push(read(tokens[at++]!))
    at++
    return found
  }

  function readPart(token: Token): Part {
    const line = lineOf(token)
    switch (token.type) {
      case 'heading_open': {
        const level = Math.min(Number(token.tag.slice(1)), 3) as Level
        return { kind: 'heading', line, level, depth: 1, inside: readInside() }
      }
      case 'blockquote_open':
        return { kind: 'quote', line, inside: readUntilClosed(readPart) }
      case 'bullet_list_open':
      case 'ordered_list_open': {
        const start = Number(token.attrGet('start') ?? 1)
        return { kind: 'list', line, ordered: token.tag === 'ol', start, items: readUntilClosed(readItem) }
      }
      case 'fence':
      case 'code_block': {
        const language = LANGUAGE.exec(token.info.trim())?.[0] ?? null
        const text = token.content.replace(/\n$/, '')
        if (language === 'math' && isClosed(token)) return { kind: 'math', line, text }
        return { kind: 'code', line, text, language, isClosed: isClosed(token) }
      }
      case 'math_block':
        return { kind: 'math', line, text: token.content }
      case 'hr':
        return { kind: 'rule', line }
      case 'table_open':
        return { line, ...readTable() }
      default:
        return { kind: 'paragraph', line, isTight: token.hidden, inside: readInside() }
    }
  }

  function readItem(token: Token): ListItem {
    const inside = readUntilClosed(readPart)
    return { done: takeTask(inside[0]), line: lineOf(token), inside }
  }

  function readTable(): Table {
    const aligns: Table['aligns'] = []
    const readCell = (cell: Token) => {
      if (cell.tag === 'th') aligns.push(alignOf(cell))
      return readInside()
    }
    const [head = [], body = []] = readUntilClosed(() => readUntilClosed(() => readUntilClosed(readCell)))
    return { kind: 'table', header: head[0] ?? [], rows: body, aligns }
  }

  function readInside(): Inline[] {
    return readUntilClosed((token) => readInline(token.children ?? [])).flat()
  }

  function lineOf({ map }: Token): number {
    return firstLine + (map?.[0] ?? 0)
  }
}

/** A closed fence has two lines more than its content. */
function isClosed({ type, map, content }: Token): boolean {
  if (type !== 'fence') return true
  const lines = content === '' ? 0 : content.replace(/\n$/, '').split('\n').length
  return map![1] - map![0] === lines + 2
}

const TASK = /^\[([ xX])\](?:\s+|$)/

/** Removes the task mark. Null if there is none. */
function takeTask(part: Part | undefined): boolean | null {
  const text = part?.kind === 'paragraph' ? part.inside[0] : undefined
  const mark = typeof text === 'string' ? TASK.exec(text) : null
  if (!mark) return null
  const { inside } = part as Extract<Part, { kind: 'paragraph' }>
  inside[0] = (text as string).slice(mark[0].length)
  return mark[1] !== ' '
}

function alignOf(cell: Token): Table['aligns'][number] {
  const style = String(cell.attrGet('style') ?? '')
  return style.endsWith('right') ? 'right' : style.endsWith('center') ? 'center' : 'left'
}

const MARKS = { strong_open: 'strong', em_open: 'em', s_open: 'del' } as const

function readInline(tokens: Token[]): Inline[] {
  let at = 0
  return readUntilClosed(false)

  function readUntilClosed(isInLink: boolean): Inline[] {
    const found: Inline[] = []
    while (at < tokens.length && tokens[at]!.nesting >= 0) found.push(...readPiece(tokens[at++]!, isInLink))
    at++
    return found
  }

  function readPiece(token: Token, isInLink: boolean): Inline[] {
    switch (token.type) {
      case 'strong_open':
      case 'em_open':
      case 's_open':
        return [{ kind: MARKS[token.type], inside: readUntilClosed(isInLink) }]
      case 'link_open':
        return linkTo(String(token.attrGet('href')), readUntilClosed(true))
      case 'image': {
        const alt = plainText(readInline(token.children ?? []))
        return [isInLink ? alt : imageOf(alt, String(token.attrGet('src')))]
      }
      case 'code_inline':
        return [{ kind: 'code', text: token.content }]
      case 'math_inline':
        return [{ kind: 'math', text: token.content, isDisplay: token.markup === '$$' }]
      case 'softbreak':
      case 'hardbreak':
        return ['\n']
      default:
        return [token.content]
    }
  }
}

function linkTo(href: string, inside: Inline[]): Inline[] {
  const safe = safeHref(href)
  return safe ? [{ kind: 'link', href: safe, inside: inside.length > 0 ? inside : [href] }] : inside
}

/** A file's page and API addresses. No other part of the address reaches a request. */
const FILE =
  /^\/(?:files\?(?:view|file)=|api\/v1\/files\/)([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})(?:\?download=true(?:&inline=true)?)?$/

function imageOf(alt: string, href: string): Inline {
  const origin = globalThis.location?.origin
  const path = origin && href.startsWith(`${origin}/`) ? href.slice(origin.length) : href
  const fileId = FILE.exec(path)?.[1]
  if (fileId) return { kind: 'image', alt, fileId }
  const safe = safeHref(href)
  return safe ? { kind: 'image', alt, href: safe } : alt || href
}

export function plainText(pieces: Inline[]): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece
      if (piece.kind === 'code' || piece.kind === 'math') return piece.text
      return piece.kind === 'image' ? piece.alt : plainText(piece.inside)
    })
    .join('')
}
