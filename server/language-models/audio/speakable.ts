/** `characters` counts the original answer's characters. */
export interface Piece {
  text: string
  characters: number
}

/** Ends a sentence or line. */
const BOUNDARY = /[.!?…:;]["'”’)\]*_]*\s+|[。！？]|\n+/g
/** A longer piece without a boundary ends at a word. */
const CHARACTERS_MAX = 300

/** Cuts an arriving answer into speakable pieces. Skips code. */
export function createSpeaker() {
  let pending = ''
  let isCode = false
  let isLineStart = true
  /** Unspoken characters follow the last spoken word. */
  let isGap = false
  let isWord = false

  /** Keeps words apart if the characters between them aren't spoken. */
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
    const text = isFence || isCode ? '' : toSpeakable(raw, isLineStart)
    isLineStart = raw.endsWith('\n')
    return { text: withGap(text), characters: length }
  }

  function takeAll(lengthOf: () => number): Piece[] {
    const pieces: Piece[] = []
    for (let length = lengthOf(); length > 0; length = lengthOf()) pieces.push(take(length))
    return pieces
  }

  /** 0 if there is none. */
  function nextEnd(): number {
    // A code line or possible fence is complete only at its end.
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
    takeWords(): Piece[] {
      if (isCode || (isLineStart && /^\s*[`~|#]/.test(pending))) return []
      const end = wordEnd()
      return end > 0 && isWhole(pending.slice(0, end)) ? [take(end)] : []
    },
    takeStalled(): Piece[] {
      return isCode || pending === '' || !isWhole(pending) ? [] : [take(pending.length)]
    },
    end(): Piece[] {
      const pieces = pending === '' ? [] : [take(pending.length)]
      reset()
      return pieces
    },
    reset,
    hasPending: () => pending !== '',
  }
}

/** Whether no link, code or emphasis is open. */
function isWhole(text: string): boolean {
  const isBalanced = (mark: RegExp) => (text.match(mark) ?? []).length % 2 === 0
  return !/\[[^\]]*$|\]\([^)]*$|<[a-z/][^>]*$/i.test(text) && isBalanced(/`/g) && isBalanced(/\*\*/g)
}

/** Removes Markdown and replaces characters that a voice can't speak. */
export function toSpeakable(raw: string, isLineStart = true): string {
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
