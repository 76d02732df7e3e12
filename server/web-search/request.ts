import { SEARCH_PROVIDERS, type SearchFreshness } from '../../contract/knowledge/search-providers.ts'
import { SEARCH_ADAPTERS } from './adapters.ts'
import type { SearchProvider, SearchQuery } from './provider.ts'

const DAYS: Record<SearchFreshness, number> = { day: 1, week: 7, month: 31, year: 366 }

interface SearchRequest {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
}

export function toRequest(
  { kind, url: ownUrl, apiKey, engineId }: SearchProvider,
  { query, count, freshness }: SearchQuery,
  now: Date,
): SearchRequest {
  const adapter = SEARCH_ADAPTERS[kind]
  const since = freshness && new Date(now.getTime() - DAYS[freshness] * 86_400_000).toISOString()
  const fill = createFill({
    query,
    key: apiKey ?? undefined,
    engine: engineId ?? undefined,
    count: Math.min(count, adapter.countMax),
    freshness: freshness && adapter.freshness?.[freshness],
    since: since?.slice(0, 10),
    sinceTime: since,
  })
  const url = new URL(`${(ownUrl ?? SEARCH_PROVIDERS[kind].url!).replace(/\/+$/, '')}${adapter.path}`)
  for (const [name, value] of Object.entries(fill(adapter.query ?? {})))
    url.searchParams.set(name, String(value))
  const headers = Object.entries(fill(adapter.headers)).map(([name, value]) => [name, String(value)] as const)
  return {
    method: adapter.method,
    url: url.href,
    headers: {
      accept: 'application/json',
      'user-agent': 'Atrium',
      ...(adapter.body && { 'content-type': 'application/json' }),
      ...Object.fromEntries(headers),
    },
    ...(adapter.body && { body: JSON.stringify(fill(adapter.body)) }),
  }
}

type Values = Readonly<Record<string, string | number | undefined>>

/** Leaves out fields whose placeholder has no value, and objects that this empties. */
function createFill(values: Values) {
  const fillText = (template: string): unknown => {
    const whole = /^\{(\w+)\}$/.exec(template)?.[1]
    if (whole !== undefined) return values[whole]
    const name = /\{(\w+)\}/.exec(template)?.[1]
    if (name === undefined) return template
    return values[name] === undefined ? undefined : template.replace(`{${name}}`, () => String(values[name]))
  }
  const fill = (template: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(template).flatMap(([name, value]) => {
        const filled = typeof value === 'string' ? fillText(value) : value
        if (typeof filled !== 'object' || filled === null) return filled === undefined ? [] : [[name, filled]]
        const inner = fill(filled as Record<string, unknown>)
        return Object.keys(inner).length === 0 ? [] : [[name, inner]]
      }),
    )
  return fill
}
