/** A part of an answer that can be spoken, and how many characters of the answer it is made from. */
export interface Piece {
  text: string
  characters: number
}

/** The end of a sentence or of a line. */
const BOUNDARY = /[.!?…:;]["'”’)\]*_]*\s+|[。！？]|\n+/g
/** A piece without a boundary within this length ends at a word. */
const CHARACTERS_MAX = 300

/** Cuts the text of an answer into pieces that can be spoken, while it arrives. Code is not spoken. */
export function createSpeaker() {
  let pending = ''
  let isCode = false
  let isLineStart = true
  /** Whether the last spoken text ends with a word that unspoken characters follow. */
  let isGap = false
  let isWord = false

  /** Words of two pieces stay apart if the characters between them are not spoken. */
  function withGap(text: string): string {
    if (text === '') {
      isGap = isWord
      return ''
    }
    const joined = isGap && !text.startsWith(' ') ? ` ${text}` : text
    isGap = false
    isWord = !text.endsWith(' ')
    return joined
  }

  function take(length: number): Piece {
    const raw = pending.slice(0, length)
    pending = pending.slice(length)
    const isFence = isLineStart && /^\s*(```|~~~)/.test(raw)
    if (isFence) isCode = !isCode
    const text = isFence || isCode ? '' : speakableOf(raw, isLineStart)
    isLineStart = raw.endsWith('\n')
    return { text: withGap(text), characters: length }
  }

  function takeAll(lengthOf: () => number): Piece[] {
    const pieces: Piece[] = []
    for (let length = lengthOf(); length > 0; length = lengthOf()) pieces.push(take(length))
    return pieces
  }

  /** Where the next complete piece ends; 0 if there is none. */
  function nextEnd(): number {
    // A line of code, or one that may become a fence, is complete with its end.
    if (isCode || (isLineStart && /^\s*[`~]/.test(pending))) return pending.indexOf('\n') + 1
    BOUNDARY.lastIndex = 0
    for (let match = BOUNDARY.exec(pending); match; match = BOUNDARY.exec(pending)) {
      const end = match.index + match[0].length
      // A boundary inside a link, code or emphasis ends no piece.
      if (isWhole(pending.slice(0, end))) return end
    }
    return pending.length > CHARACTERS_MAX ? wordEnd() : 0
  }

  function reset(): void {
    pending = ''
    isCode = false
    isLineStart = true
    isGap = false
    isWord = false
  }

  const wordEnd = () => pending.search(/\s\S*$/) + 1

  return {
    add(text: string): Piece[] {
      pending += text
      return takeAll(nextEnd)
    },
    /** The complete words that have arrived, without waiting for the end of their sentence. */
    takeWords(): Piece[] {
      if (isCode || (isLineStart && /^\s*[`~|#]/.test(pending))) return []
      const end = wordEnd()
      return end > 0 && isWhole(pending.slice(0, end)) ? [take(end)] : []
    },
    /** All text that has arrived, although more may follow. */
    takeStalled(): Piece[] {
      return isCode || pending === '' || !isWhole(pending) ? [] : [take(pending.length)]
    },
    /** The rest at the end of an answer. */
    end(): Piece[] {
      const pieces = pending === '' ? [] : [take(pending.length)]
      reset()
      return pieces
    },
    /** Discards the remaining text. */
    reset,
    hasPending: () => pending !== '',
  }
}

/** Whether no link, code or emphasis is open. */
function isWhole(text: string): boolean {
  const isBalanced = (mark: RegExp) => (text.match(mark) ?? []).length % 2 === 0
  return !/\[[^\]]*$|\]\([^)]*$|<[a-z/][^>]*$/i.test(text) && isBalanced(/`/g) && isBalanced(/\*\*/g)
}

/** A line or a sentence without the marks of Markdown, and with replacements for characters that a voice cannot speak. */
export function speakableOf(raw: string, isLineStart = true): string {
  const line = isLineStart ? withoutLineMarks(raw) : raw
  const text = line
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<(https?:\/\/[^>\s]+)>/gi, '$1')
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replace(/https?:\/\/(?:www\.)?([^\s/?#)]+)[^\s)]*/gi, '$1')
    .replace(/(\*\*|__|~~|`)/g, '')
    .replace(/(^|[\s(])[*_](?=\S)/g, '$1')
    .replace(/(\S)[*_](?=[\s).,!?;:]|$)/g, '$1')
    .replace(/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F|\u200D/gu, '')
    .replace(/\s+/g, ' ')
  return text.trim() === '' ? '' : text
}

const withoutLineMarks = (line: string): string => {
  if (/^\s*\|?[\s:|-]*-{3,}[\s:|-]*$/.test(line)) return ''
  const text = line.replace(/^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ x]\]\s+)?)/, '')
  if (!/^\s*\|.*\|\s*$/.test(text)) return text
  return `${text
    .split('|')
    .map((cell) => cell.trim())
    .filter(Boolean)
    .join(', ')}. `
}
