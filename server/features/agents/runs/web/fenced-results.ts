import { fence } from '../../../../language-models/fence.ts'
import type { SearchResult } from '../../../../web-search/results.ts'

/** Titles and snippets are pages' own words. JSON in one fence, so that the dashboard can list them. */
export const fenceResults = (results: readonly SearchResult[], source: string): string =>
  fence(JSON.stringify(results, null, 1), source)

export function urlsInResults(fenced: string | null): string[] {
  const json = /\n<<<(DATA-[0-9a-f]{32})\n([\s\S]*)\n\1>>>$/.exec(fenced ?? '')?.[2]
  if (json === undefined) return []
  try {
    return (JSON.parse(json) as SearchResult[]).map(({ url }) => url)
  } catch {
    // Guardrails may have changed the text.
    return []
  }
}
