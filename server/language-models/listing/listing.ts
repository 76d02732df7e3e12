import { z } from 'zod'
import { createValueCounter } from '../../outbound/limit-values.ts'
import { failureMessage } from '../../outbound/lookup.ts'
import { toLine } from '../failures.ts'
import type { UnitPrices } from '../prices.ts'

export type Modality = 'text' | 'image' | 'audio' | 'video' | 'file'

export interface ListedModel {
  id: string
  name: string | null
  contextWindow: number | null
  maxOutput: number | null
  input: Modality[] | null
  output: Modality[] | null
  tools: boolean | null
  reasoning: boolean | null
  prices: UnitPrices | null
  /** Unix time in seconds. */
  created: number | null
}

export const listedModel = (id: string, properties: Partial<ListedModel> = {}): ListedModel => ({
  id,
  name: null,
  contextWindow: null,
  maxOutput: null,
  input: null,
  output: null,
  tools: null,
  reasoning: null,
  prices: null,
  created: null,
  ...properties,
})

/** OpenRouter's list, the longest known, is about 1 MB. */
const BYTES_MAX = 16_777_216
const REFUSAL_BYTES_MAX = 16_384

/** The message is for members and contains no secret. `words` are the provider's own. */
export class ListingError extends Error {
  readonly status: number | undefined
  readonly words: string | null

  constructor(message: string, status?: number, words: string | null = null) {
    super(message)
    this.status = status
    this.words = words
  }
}

interface ListingRequest {
  url: string
  headers?: Record<string, string>
  /** Sent as JSON by POST. */
  body?: unknown
}

export interface ListingOptions {
  fetch: typeof globalThis.fetch
  signal: AbortSignal
  /** Of the response. Default 16 MB. */
  bytesMax?: number
}

export async function fetchJson(
  { url, headers, body }: ListingRequest,
  { fetch, signal, bytesMax = BYTES_MAX }: ListingOptions,
): Promise<unknown> {
  const init =
    body === undefined
      ? { headers: { accept: 'application/json', ...headers } }
      : {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', ...headers },
        }
  try {
    const response = await fetch(url, { ...init, signal })
    if (!response.ok) {
      const words = providerWords(await read(response, REFUSAL_BYTES_MAX).catch(() => ''))
      throw new ListingError(refusalMessage(response.status), response.status, words)
    }
    return parse(await read(response, bytesMax))
  } catch (error) {
    if (error instanceof ListingError) throw error
    if (signal.aborted) throw new ListingError('No response within the time limit')
    throw new ListingError(failureMessage((error as Error).cause ?? error))
  }
}

async function read(response: Response, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder()
  const areFew = createValueCounter()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new ListingError(`The model list is larger than ${bytesMax} bytes`)
    if (!areFew(chunk)) throw new ListingError('The model list has too many entries')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ListingError('The model list is not JSON: check the URL')
  }
}

function refusalMessage(status: number): string {
  if (status === 401 || status === 403) return `The provider rejected the API key (status ${status})`
  if (status === 404) return 'The provider has no model list at this URL (status 404): check the URL'
  if (status === 429) return 'The provider is limiting requests (status 429)'
  if (status >= 300 && status < 400) return `The URL redirects (status ${status}): enter its destination`
  return `The provider responded with status ${status}`
}

const Refusal = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z
    .array(z.object({ error: z.object({ message: z.string() }) }))
    .transform((list) => list[0]?.error.message ?? ''),
])

/** From a response that refuses, in one line and without keys. Null for a page or an empty body. */
function providerWords(body: string): string | null {
  let message = body.trimStart().startsWith('<') ? '' : body
  try {
    message = Refusal.safeParse(JSON.parse(body)).data ?? ''
  } catch {
    // Some servers answer in plain text.
  }
  return toLine(message) || null
}
