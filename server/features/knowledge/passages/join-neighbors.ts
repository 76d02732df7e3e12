import type { Ranked } from './rank.ts'

/** Neighboring passages of one source that were found together. */
export interface Group<P extends Ranked = Ranked> {
  best: P
  first: number
  last: number
}

const JOINED_MAX = 3
/** Best matches among which neighbors are looked for. */
const READ = 3

export function joinNeighbors<P extends Ranked>(ranked: readonly P[], limit: number): Group<P>[] {
  const groups: Group<P>[] = []
  for (const passage of ranked.slice(0, limit * READ)) {
    const group = groups.find(
      ({ best, first, last }) =>
        best.sourceId === passage.sourceId &&
        passage.ordinal >= first - 1 &&
        passage.ordinal <= last + 1 &&
        last - first + 1 < JOINED_MAX,
    )
    if (group) {
      group.first = Math.min(group.first, passage.ordinal)
      group.last = Math.max(group.last, passage.ordinal)
    } else if (groups.length < limit)
      groups.push({ best: passage, first: passage.ordinal, last: passage.ordinal })
  }
  return groups
}
