/** Weighted per word. A later text takes precedence. */
export type Texts = readonly (readonly [text: string, points: number])[]

/** Splitting words took most of a search's time. */
const pointsCache = new WeakMap<object, Map<string, number>>()

export function rankByTerms<T extends { name: string }>(
  items: Iterable<T>,
  query: string,
  limit: number,
  textsOf: (item: T) => Texts,
): T[] {
  const terms = termsOf(query)
  const scored = [...items].map((item) => {
    const points = pointsOf(item, textsOf)
    return { item, score: terms.reduce((sum, term) => sum + (points.get(term) ?? 0), 0) }
  })
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.item.name < b.item.name ? -1 : 1))
    .slice(0, limit)
    .map(({ item }) => item)
}

function pointsOf<T extends object>(item: T, textsOf: (item: T) => Texts): Map<string, number> {
  const existing = pointsCache.get(item)
  if (existing) return existing
  const points = new Map(
    textsOf(item).flatMap(([text, count]) => termsOf(text).map((term) => [term, count] as const)),
  )
  pointsCache.set(item, points)
  return points
}

/** Lowercase, split at capitals, without a plural s. */
const termsOf = (text: string): string[] => [
  ...new Set(
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .map((term) => (term.length > 3 ? term.replace(/s$/, '') : term))
      .filter((term) => term !== ''),
  ),
]
