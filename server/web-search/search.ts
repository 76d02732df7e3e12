import { SEARCH_PROVIDERS } from '../../contract/knowledge/search-providers.ts'
import { ApiError } from '../errors.ts'
import { limitResponse } from '../language-models/limit-bytes.ts'
import { trustedFetch } from '../language-models/trusted-fetch.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { SEARCH_ADAPTERS, type SearchProblem } from './adapters.ts'
import type { SearchProvider, SearchQuery } from './provider.ts'
import { toRequest } from './request.ts'
import { readResults, type SearchResult } from './results.ts'

interface SearchOptions {
  outbound: Outbound
  signal: AbortSignal
  now: Date
}

const TIMEOUT_MS = 15_000
const BYTES_MAX = 2_097_152

/** The provider's own words stay out of errors: members and models read those. */
export async function searchWeb(
  provider: SearchProvider,
  query: SearchQuery,
  { outbound, signal, now }: SearchOptions,
): Promise<SearchResult[]> {
  const request = toRequest(provider, query, now)
  const send = provider.source === 'server' ? sendTrusted : sendGuarded(outbound)
  const answer = await send(request, signal)
  signal.throwIfAborted()
  if ('failure' in answer) throw failed(provider, answer.failure)
  const { status, text } = answer
  if (status !== 200) throw failed(provider, reasonOf(provider, status))
  if (text === null) throw failed(provider, 'Its answer is larger than 2 MB')
  const results = readResults(SEARCH_ADAPTERS[provider.kind], parse(text))
  if (results === null) throw failed(provider, 'Its answer is not a list of results: check the URL')
  return results.slice(0, query.count)
}

/** `text` is null if the answer is too large. */
type Answer = { status: number; text: string | null } | { failure: string }
type Request = ReturnType<typeof toRequest>

const sendGuarded =
  (outbound: Outbound) =>
  async (request: Request, signal: AbortSignal): Promise<Answer> => {
    const limits = { timeoutMs: TIMEOUT_MS, bytesMax: BYTES_MAX, signal }
    const outcome = await outbound.request({ ...request, ...limits })
    if (outcome.kind === 'failure') return { failure: outcome.error }
    const { status, body, truncated } = outcome.response
    return { status, text: truncated ? null : body.toString() }
  }

async function sendTrusted({ url, ...request }: Request, signal: AbortSignal): Promise<Answer> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await trustedFetch(url, { ...request, signal: AbortSignal.any([timeout, signal]) })
    const text = await limitResponse(response, { bytesMax: BYTES_MAX })
      .text()
      .catch(() => null)
    if (timeout.aborted) throw timeout.reason
    return { status: response.status, text }
  } catch {
    if (timeout.aborted) return { failure: `No response within ${TIMEOUT_MS / 1000} seconds` }
    return { failure: 'The server is not reachable' }
  }
}

function reasonOf({ kind, source }: SearchProvider, status: number): string {
  const problem = SEARCH_ADAPTERS[kind].statuses?.[status] ?? PROBLEMS[status]
  if (problem) return REASONS[problem](source)
  if (status >= 300 && status < 400) return 'It redirects: enter the final URL'
  return `It responded with ${status}`
}

const PROBLEMS: Readonly<Record<number, SearchProblem>> = {
  401: 'key',
  402: 'quota',
  403: 'key',
  429: 'quota',
}

const REASONS: Record<SearchProblem, (source: SearchProvider['source']) => string> = {
  key: (source) =>
    source === 'server'
      ? 'It rejects the key: the operator must check ATRIUM_WEB_SEARCH_KEY'
      : 'It rejects the key: an admin must check it in Settings → Web search',
  quota: () => 'Its quota is used up, or searches come too fast: try again later',
  format: () => 'It refuses JSON: its settings.yml must list json under search.formats',
}

const failed = ({ kind }: SearchProvider, reason: string) =>
  new ApiError('PROVIDER_ERROR', `${SEARCH_PROVIDERS[kind].name} could not search. ${reason}`)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
