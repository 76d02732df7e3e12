/** An inline node: plain text or formatted children. */
export type Inline =
  | string
  | { kind: 'strong' | 'em' | 'del'; inside: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; href: string; inside: Inline[] }
  | Image

/** An image of a workspace file, or of another host. */
export type Image = { kind: 'image'; alt: string } & ({ fileId: string } | { href: string })

/** The maximum distance to a closing mark. */
const REACH = 2000
const DEPTH_MAX = 6

const ESCAPED = /\\([\\`*_~[\]()#>!+.-])/y
const LINK = /!?\[([^[\]]{0,500})\]\(([^\s()]{1,2000})\)/y
const BARE_URL = /https?:\/\/[^\s<>"'`)\]]{1,2000}/y
const TICKS = /`+/y
/** Longest first, so that `**` is not read as two `*`. */
const MARKS: [mark: string, kind: 'strong' | 'em' | 'del'][] = [
  ['**', 'strong'],
  ['__', 'strong'],
  ['~~', 'del'],
  ['*', 'em'],
  ['_', 'em'],
]
const SPECIAL = /[\\`*_~[!]|https?:/g

interface FoundPiece {
  piece: Inline
  end: number
}

/** For each mark, the position up to which a text has no closing one: a search starts there, so that all take linear time. */
type SearchedUpTo = Map<string, number>

/** Parses the inline marks of a line. HTML stays text. */
export function parseInline(text: string, depth = 0): Inline[] {
  const searched: SearchedUpTo = new Map()
  const pieces: Inline[] = []
  let plain = ''
  let at = 0
  while (at < text.length) {
    SPECIAL.lastIndex = at
    const next = depth < DEPTH_MAX ? SPECIAL.exec(text) : null
    if (!next) break
    plain += text.slice(at, next.index)
    const found = readAt(text, next.index, depth, searched)
    if (!found) {
      plain += next[0]
      at = next.index + next[0].length
      continue
    }
    if (typeof found.piece === 'string') plain += found.piece
    else {
      if (plain) pieces.push(plain)
      plain = ''
      pieces.push(found.piece)
    }
    at = found.end
  }
  plain += text.slice(at)
  return plain ? [...pieces, plain] : pieces
}

function readAt(text: string, at: number, depth: number, searched: SearchedUpTo): FoundPiece | undefined {
  switch (text[at]) {
    case '\\':
      return matchAt(ESCAPED, text, at, ([, character]) => character!)
    case '!':
      return matchAt(LINK, text, at, ([, alt, href]) => imageOf(alt!, href!))
    case '[':
      return matchAt(LINK, text, at, ([, label, href]) => linkOf(label!, href!, depth))
    case '`':
      return codeAt(text, at, searched)
    case 'h':
      return isWord(text[at - 1]) ? undefined : bareUrlAt(text, at)
    default:
      return markedAt(text, at, depth, searched)
  }
}

function matchAt(pattern: RegExp, text: string, at: number, make: (match: RegExpExecArray) => Inline) {
  pattern.lastIndex = at
  const match = pattern.exec(text)
  return match ? { piece: make(match), end: at + match[0].length } : undefined
}

function codeAt(text: string, at: number, searched: SearchedUpTo): FoundPiece | undefined {
  TICKS.lastIndex = at
  const ticks = TICKS.exec(text)![0]
  const from = at + ticks.length
  const end = searchIn(text, from, ticks, searched, (start, limit) => {
    const found = text.slice(start, limit).indexOf(ticks)
    return found < 0 ? undefined : start + found
  })
  const inside = end === undefined ? '' : text.slice(from, end).trim()
  if (!inside) return { piece: ticks, end: from }
  return { piece: { kind: 'code', text: inside }, end: end! + ticks.length }
}

function bareUrlAt(text: string, at: number): FoundPiece | undefined {
  BARE_URL.lastIndex = at
  const href = withoutPunctuation(BARE_URL.exec(text)?.[0] ?? '')
  const safe = href && safeHref(href)
  return safe ? { piece: { kind: 'link', href: safe, inside: [href] }, end: at + href.length } : undefined
}

/** Punctuation after a URL belongs to the sentence. */
function withoutPunctuation(url: string): string {
  let end = url.length
  while (end > 0 && '.,;:!?*_~'.includes(url[end - 1]!)) end--
  return url.slice(0, end)
}

function markedAt(text: string, at: number, depth: number, searched: SearchedUpTo): FoundPiece | undefined {
  for (const [mark, kind] of MARKS) {
    if (!text.startsWith(mark, at)) continue
    const from = at + mark.length
    if (/\s|^$/.test(text[from] ?? '') || (mark.startsWith('_') && isWord(text[at - 1]))) continue
    const end = searchIn(text, from, mark, searched, (start, limit) => endOf(text, start, limit, mark))
    if (end === undefined) continue
    return { piece: { kind, inside: parseInline(text.slice(from, end), depth + 1) }, end: end + mark.length }
  }
  return undefined
}

/** Searches within reach, and not again where an earlier search found nothing. */
function searchIn(
  text: string,
  from: number,
  mark: string,
  searched: SearchedUpTo,
  search: (start: number, limit: number) => number | undefined,
): number | undefined {
  const limit = Math.min(from + REACH, text.length)
  const end = search(Math.max(from, searched.get(mark) ?? 0), limit)
  if (end === undefined) searched.set(mark, Math.max(from, limit - mark.length))
  return end
}

/** The position of the closing mark: not after a space, and for `_` at the end of a word. */
function endOf(text: string, from: number, limit: number, mark: string): number | undefined {
  const window = text.slice(from, limit)
  for (let end = window.indexOf(mark, 1); end > 0; end = window.indexOf(mark, end + mark.length)) {
    const isHalf = mark.length === 1 && window[end + 1] === mark
    if (isHalf) {
      end++
      continue
    }
    if (/\s/.test(window[end - 1]!)) continue
    if (mark.startsWith('_') && isWord(window[end + mark.length])) continue
    return from + end
  }
  return undefined
}

const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character)

function linkOf(label: string, href: string, depth: number): Inline {
  const safe = safeHref(href)
  if (!safe) return label || href
  return { kind: 'link', href: safe, inside: label ? parseInline(label, depth + 1) : [href] }
}

/** The addresses of a file: its page and its API. No other part of the address reaches a request. */
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

/** Allows only http, https and mailto URLs; rejects javascript: and all others. */
export function safeHref(href: string): string | undefined {
  try {
    const { protocol, href: normalized } = new URL(href)
    return /^(https?|mailto):$/.test(protocol) ? normalized : undefined
  } catch {
    return undefined
  }
}
