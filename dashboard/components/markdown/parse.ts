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

export const markdown = createMarkdown({ math: true })

markdown.core.ruler.before('strip_references', 'keep_definitions', ({ tokens, env }) => {
  for (const { type, meta, map, level } of tokens) {
    if (type !== 'reference_definition') continue
    const found = { label: String(meta!.label), line: map![0], isNested: level > 0 }
    ;(env.definitions as Definition[]).push(found)
  }
})

/** By label. The first definition of a label counts. */
type References = Record<string, { title: string; href: string }>

/** Of a link. Not a part, since it shows nothing. */
interface Definition {
  label: string
  line: number
  isNested: boolean
}

export const parseMarkdown = (text: string): Part[] => parseFrom(0, text, {}).parts

/** While an open list or table gets longer, it's parsed again whenever it has grown by this share. */
const GROWTH_MIN = 1 / 128

/**
 * For growing text, such as a streaming answer. Blocks that more text can't change stay the same objects, so they
 * aren't parsed or rendered again with every word. Each character costs a bounded amount of work, whatever the text is:
 * a link definition changes the text above it only when the text settles.
 */
export function createGrowingParser() {
  let known = ''
  let parts: Part[] = []
  /** Of `parts`: those that more text can't change. */
  let finalCount = 0
  let finalReferences: References = {}
  let open = parseFrom(0, '', finalReferences)
  /** Whether the parts are those of all known text. */
  let isExact = true

  function parseAll(text: string): Part[] {
    known = text
    finalCount = 0
    finalReferences = {}
    open = parseFrom(0, text, finalReferences)
    parts = open.parts
    isExact = true
    return parts
  }

  function finishBlocks(): { line: number; offset: number; above: number } {
    const start = findOpen(known, open)
    const isFinal = ({ line }: { line: number }) => line < start.line
    const finished = open.parts.filter(isFinal)
    finalCount += finished.length
    for (const { label } of open.definitions.filter(isFinal)) {
      if (!Object.hasOwn(finalReferences, label)) finalReferences[label] = open.references[label]!
    }
    return { ...start, above: aboveAfter(finished, open.above) }
  }

  return {
    grow(text: string): Part[] {
      if (text === known) return parts
      if (!text.startsWith(known)) return parseAll(text)
      if (text.length - known.length < (known.length - open.offset) * GROWTH_MIN) return parts
      const start = finishBlocks()
      open = parseFrom(start.line, text.slice(start.offset), finalReferences, start)
      known = text
      parts = [...parts.slice(0, finalCount), ...open.parts]
      // A title, too, can change blocks below its definition.
      isExact &&= open.definitions.length === 0 && Object.keys(finalReferences).length === 0
      return parts
    },

    /** The same as `parseMarkdown`. */
    settle: (text: string): Part[] => (text === known && isExact ? parts : parseAll(text)),
  }
}

type Parsed = ReturnType<typeof parseFrom>

/**
 * The last line may be incomplete and turn the line above into a table header, so the block that is open there, and
 * anything below, may change.
 */
function findOpen(text: string, { line: first, offset, parts, definitions }: Parsed) {
  const ends = [...text.slice(offset).matchAll(LINE_END)]
  const isSettled = ({ line }: { line: number }) => line < first + ends.length - 1
  const line = Math.max(
    first,
    parts.findLast(isSettled)?.line ?? 0,
    definitions.findLast((definition) => !definition.isNested && isSettled(definition))?.line ?? 0,
  )
  const end = ends[line - first - 1]
  return { line, offset: end ? offset + end.index + end[0].length : offset }
}

const LINE_END = /\r\n?|\n/g

/** `offset` is where the line begins in the whole text, and `above` the outline depth there. */
function parseFrom(line: number, source: string, known: References, { offset = 0, above = 0 } = {}) {
  const references = Object.create(known) as References
  const found: Definition[] = []
  const tokens = markdown.parse(source, { references, definitions: found })
  const parts = outline(readParts(tokens, line), above)
  const definitions = found.map((definition) => ({ ...definition, line: definition.line + line }))
  return { line, offset, above, parts, definitions, references }
}

/** Never skips a level, whatever the sizes. */
function outline(parts: Part[], above: number): Part[] {
  let depth = above
  return parts.map((part) => {
    if (part.kind !== 'heading') return part
    depth = Math.min(part.level, depth + 1)
    return part.depth === depth ? part : { ...part, depth: depth as Level }
  })
}

const aboveAfter = (parts: readonly Part[], above: number): number =>
  parts.findLast((part) => part.kind === 'heading')?.depth ?? above

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
