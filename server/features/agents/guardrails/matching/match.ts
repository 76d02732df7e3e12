/** In UTF-16 code units. */
export interface Match {
  start: number
  end: number
  /** Such as `email`, never the text itself. */
  label: string
}

/** Earlier text is context, such as for word boundaries. */
export type FindMatch = (text: string, from: number) => Match | null

/** Yields matches that don't overlap. */
export function* findMatches(find: FindMatch, text: string, from = 0): Generator<Match> {
  let at = from
  while (at <= text.length) {
    const match = find(text, at)
    if (!match) return
    yield match
    at = Math.max(match.end, match.start + 1)
  }
}

/** The longest wins if several start together. */
export const findEarliest =
  (finders: readonly FindMatch[]): FindMatch =>
  (text, from) => {
    let best: Match | null = null
    for (const find of finders) {
      const match = find(text, from)
      if (
        match &&
        (!best || match.start < best.start || (match.start === best.start && match.end > best.end))
      )
        best = match
    }
    return best
  }
