import { refuseInTransaction } from '../concurrency/work-scope.ts'
import { classifyFailure, type ModelFailure } from './failures.ts'
import { hideKey } from './hide-key.ts'
import { limitBytes } from './limit-bytes.ts'
import type { ModelProvider } from './provider.ts'

export type ProviderOutcome<T> = { kind: 'done'; value: T } | { kind: 'failed'; failure: ModelFailure }

export interface ProviderCall {
  provider: ModelProvider
  model: string
  fetch: typeof globalThis.fetch
  /** Ends the call when the client leaves. */
  signal?: AbortSignal | undefined
}

interface ProviderRequest {
  /** After the provider's base URL. */
  path: string
  headers: Record<string, string>
  body: string | ReadableStream<Uint8Array>
  timeoutMs: number
  /** Until `read` ends. */
  startMaxMs?: number
  bytesMax: number
  /** Of JSON. Infinity for other content. */
  valuesMax?: number
}

/** The time limit includes the response's last byte. */
export async function sendRequest<T>(
  { provider, fetch, signal }: ProviderCall,
  { path, headers, body, timeoutMs, startMaxMs = timeoutMs, ...limits }: ProviderRequest,
  read: (response: Response) => Promise<T>,
): Promise<ProviderOutcome<T>> {
  refuseInTransaction('a model provider')
  const { url, apiKey } = provider
  const timeout = AbortSignal.timeout(timeoutMs)
  const start = new AbortController()
  const timer = setTimeout(() => start.abort(new DOMException('No response', 'TimeoutError')), startMaxMs)
  const signals = [timeout, start.signal, ...(signal ? [signal] : [])]
  const send = limitBytes(hideKey(fetch, apiKey), limits)
  try {
    const response = await send(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }) },
      body,
      // Streams require it. Missing from the type.
      ...({ duplex: 'half' } as object),
      signal: AbortSignal.any(signals),
    })
    if (!response.ok) throw await refusalOf(response)
    return { kind: 'done', value: await read(response) }
  } catch (error) {
    return { kind: 'failed', failure: failureOf(error, signals, signal) }
  } finally {
    clearTimeout(timer)
  }
}

/**
 * An aborted stream may report a broken connection, and the client's reason is about the call to this server, unless the
 * caller allows less time than this request.
 */
function failureOf(
  error: unknown,
  signals: readonly AbortSignal[],
  signal: AbortSignal | undefined,
): ModelFailure {
  const expired = signals.find((one) => one.aborted && isTimeout(one.reason))
  if (expired) return classifyFailure(expired.reason)
  return classifyFailure(signal?.aborted ? new DOMException('The client left', 'AbortError') : error)
}

const isTimeout = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError'

/** With the fields by which failures are classified. */
async function refusalOf(response: Response): Promise<Error> {
  const responseBody = await response.text()
  return Object.assign(new Error(wordsOf(responseBody)), {
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody,
  })
}

/** `{ error: { message } }`, or `{ error }` or `{ detail }` from other servers. */
function wordsOf(body: string): string {
  try {
    const { error, detail } = JSON.parse(body) as { error?: unknown; detail?: unknown }
    const words = (error as { message?: unknown } | undefined)?.message ?? error ?? detail
    return typeof words === 'string' ? words : ''
  } catch {
    return ''
  }
}
