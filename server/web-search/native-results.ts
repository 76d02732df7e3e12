import type { ModelSearchKind } from '../../contract/knowledge/search-providers.ts'
import type { NativeSource } from '../language-models/native-search.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { readList, type SearchResult } from './results.ts'

interface Options {
  outbound: Outbound
  signal: AbortSignal
}

/** Cleaned as a search engine's. Google's sources are links to itself that redirect to the pages. */
export async function foundResults(
  kind: ModelSearchKind,
  sources: readonly NativeSource[],
  options: Options,
): Promise<SearchResult[]> {
  const first = sources.slice(0, SOURCES_MAX)
  const resolved =
    kind === 'google'
      ? await Promise.all(
          first.map(async (source) => ({ ...source, url: await targetOf(source.url, options) })),
        )
      : first
  return readList(FIELDS, resolved)
}

const FIELDS = { title: 'title', url: 'url', snippet: 'snippet', publishedAt: 'publishedAt' }
const SOURCES_MAX = 30
const RESOLVE_MS = 5000

/** The link itself if it can't be resolved. The page isn't read. */
async function targetOf(url: string, { outbound, signal }: Options): Promise<string> {
  const limits = { timeoutMs: RESOLVE_MS, bytesMax: 1024, signal }
  const outcome = await outbound.request({ method: 'GET', url, headers: {}, ...limits })
  if (outcome.kind === 'failure') return url
  const { status, headers } = outcome.response
  const isRedirect = status >= 300 && status < 400 && headers.location !== undefined
  return isRedirect && URL.canParse(headers.location!, url) ? new URL(headers.location!, url).href : url
}
