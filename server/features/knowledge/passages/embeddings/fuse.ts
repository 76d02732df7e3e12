import type { Ranked } from '../rank.ts'
import type { Near } from './nearest.ts'

export interface Fusion {
  /** BM25 with its details. Null if the passage has none of the words. */
  words: { score: number; rank: number } | null
  /** Null if others are nearer. */
  meaning: { similarity: number; rank: number } | null
}

export interface Fused extends Ranked {
  /** Null if words alone decided. */
  fusion: Fusion | null
}

/** As in the paper on reciprocal rank fusion: the first places count more than others, but not all. */
const K = 60
/** Nothing is so far away that it has no nearest passages: beyond these, they are about something else. */
const NEAREST_USED = 50
/** Then a passage that is first for both has this score. */
const FULL_SCORE = 1

const NO_PARTS = { words: 0, heading: 0, exact: 0, related: 0, phrase: 0, proximity: 0, neighbors: 0 }

/** A passage's places in both lists decide, because their scores can't be compared. Best first. */
export function fuse(byWords: readonly Ranked[], nearest: readonly Near[] | null): Fused[] {
  if (nearest === null) return byWords.map((passage) => ({ ...passage, fusion: null }))
  const fused = new Map<string, Fused & { fusion: Fusion }>()
  for (const [index, passage] of byWords.entries()) {
    const words = { score: passage.score, rank: index + 1 }
    fused.set(placeOf(passage), { ...passage, fusion: { words, meaning: null } })
  }
  for (const [index, { sourceId, ordinal, similarity }] of nearest.slice(0, NEAREST_USED).entries()) {
    const meaning = { similarity, rank: index + 1 }
    const both = fused.get(placeOf({ sourceId, ordinal }))
    if (both) both.fusion.meaning = meaning
    else
      fused.set(placeOf({ sourceId, ordinal }), {
        ...{ sourceId, ordinal, language: 'simple', length: 0, tsv: '' },
        ...{ score: 0, coverage: 0, parts: { ...NO_PARTS }, terms: [] },
        fusion: { words: null, meaning },
      })
  }
  return [...fused.values()]
    .map((passage) => ({ ...passage, score: scoreOf(passage.fusion) }))
    .toSorted(
      (a, b) =>
        b.score - a.score ||
        (a.sourceId < b.sourceId ? -1 : a.sourceId > b.sourceId ? 1 : a.ordinal - b.ordinal),
    )
}

const placeOf = ({ sourceId, ordinal }: Pick<Near, 'sourceId' | 'ordinal'>) => `${sourceId} ${ordinal}`

const scoreOf = ({ words, meaning }: Fusion): number =>
  (FULL_SCORE / 2) *
  [words, meaning].reduce((sum, place) => sum + (place ? (K + 1) / (K + place.rank) : 0), 0)
