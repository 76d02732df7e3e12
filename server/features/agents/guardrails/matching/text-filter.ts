import type { FindMatch, Match } from './match.ts'

/** Held back until more arrives, so that a match up to this length is never shown in part. */
export const HELD_CHARACTERS = 200
/** A longer match counts as it is. */
const OPEN_MATCH_MAX = 8000
/** For word boundaries. */
const CONTEXT_CHARACTERS = 64
const TRIM_AT = 4096

export type TextAction = 'block' | 'redact'

interface TextFilterOptions {
  find: FindMatch
  action: TextAction
  onMatch: (match: Match) => void
}

/** A match may be split at any character. */
export function createTextFilter({ find, action, onMatch }: TextFilterOptions) {
  let text = ''
  let position = 0
  let isBlocked = false

  /** Keeps a match that may still continue. */
  function passUpTo(limit: number, isEnd: boolean): string {
    let passed = ''
    let end = limit
    while (position < end) {
      const match = find(text, position)
      if (!match || match.start >= end) break
      const isOpen = !isEnd && match.end === text.length && text.length - match.start < OPEN_MATCH_MAX
      if (isOpen) {
        end = match.start
        break
      }
      passed += text.slice(position, match.start)
      onMatch(match)
      if (action === 'block') {
        isBlocked = true
        return passed
      }
      passed += redactionText(match)
      position = match.end
    }
    if (position < end) {
      passed += text.slice(position, end)
      position = end
    }
    trim()
    return passed
  }

  function trim(): void {
    if (position < TRIM_AT) return
    const start = position - CONTEXT_CHARACTERS
    text = text.slice(start)
    position -= start
  }

  return {
    /** Returns the text to pass on. */
    add(part: string): string {
      if (isBlocked) return ''
      text += part
      return passUpTo(text.length - HELD_CHARACTERS, false)
    },
    end: (): string => (isBlocked ? '' : passUpTo(text.length, true)),
    isBlocked: () => isBlocked,
  }
}

export const redactionText = ({ label }: Match) => `[${label.replace('_', ' ')} redacted]`
