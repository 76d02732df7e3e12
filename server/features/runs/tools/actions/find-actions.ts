import type { Action, Actions } from './actions.ts'

/** The best matches for a few words: in the name first, then in the summary, then in the rest. */
export function findActions(actions: Actions, query: string, limit: number): Action[] {
  const terms = termsOf(query)
  const scored = [...actions.values()].map((action) => ({ action, score: scoreOf(action, terms) }))
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.action.name < b.action.name ? -1 : 1))
    .slice(0, limit)
    .map(({ action }) => action)
}

function scoreOf({ name, endpoint }: Action, terms: string[]): number {
  const [inName, inSummary, inRest] = [
    name,
    endpoint.summary,
    `${endpoint.path} ${endpoint.description ?? ''}`,
  ].map((text) => new Set(termsOf(text)))
  const points = (term: string) =>
    inName!.has(term) ? 4 : inSummary!.has(term) ? 3 : inRest!.has(term) ? 1 : 0
  return terms.reduce((sum, term) => sum + points(term), 0)
}

/** Lower case, split at capitals, without a plural s. */
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
