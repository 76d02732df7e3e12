import { z } from 'zod'
import type { ModelProvider } from '../provider.ts'
import { type ProviderCall, type ProviderOutcome, sendRequest } from '../provider-request.ts'
import { addPrefix, type TextKind } from './prefixes.ts'

export interface Embedded {
  /** In the texts' order, all of one length. Null where the response has none that can be used. */
  vectors: (Float32Array | null)[]
  /** Null if the provider doesn't count. */
  tokens: number | null
}

export type EmbedOutcome = ProviderOutcome<Embedded>

interface Texts {
  texts: readonly string[]
  kind: TextKind
  timeoutMs: number
}

const RESPONSE_BYTES_MAX = 16_777_216
export const DIMENSIONS = { min: 8, max: 4096 }
/** In one request. */
const TEXTS_MAX = 256
/** Besides a vector's numbers. */
const ENTRY_VALUES_MAX = 100

/** Anthropic has no embeddings. */
export const hasEmbeddings = ({ kind }: Pick<ModelProvider, 'kind'>): boolean => kind !== 'anthropic'

/** OpenAI's `/embeddings`, which Google has below another path, or Ollama's `/api/embed`. */
export function embed(call: ProviderCall, { texts, kind, timeoutMs }: Texts): Promise<EmbedOutcome> {
  const { provider, model } = call
  const input = texts.map((text) => addPrefix(model, kind, text))
  const dialect = DIALECTS[provider.kind]
  const request = {
    path: dialect.path,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ model, input, ...dialect.fields }),
    timeoutMs,
    bytesMax: RESPONSE_BYTES_MAX,
    valuesMax: texts.length * (DIMENSIONS.max + ENTRY_VALUES_MAX) + ENTRY_VALUES_MAX,
  }
  return sendRequest(call, request, async (response) => dialect.read(await response.text(), texts.length))
}

interface Dialect {
  path: string
  fields: object
  read: (body: string, count: number) => Embedded
}

const tokens = z.number().int().min(0).nullish().catch(null)
/** Not as an array of the schema library, which would report on each wrong number. */
const isVector = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length >= DIMENSIONS.min &&
  value.length <= DIMENSIONS.max &&
  value.every((number) => Number.isFinite(Math.fround(number)) && typeof number === 'number')

const OpenAiResponse = z.object({
  data: listOf(z.object({ index: z.number().int().optional(), embedding: z.unknown() })),
  usage: z.object({ prompt_tokens: tokens }).nullish().catch(null),
})
const OllamaResponse = z.object({ embeddings: listOf(z.unknown()), prompt_eval_count: tokens })

/** Longer ones are refused before their entries are read. */
function listOf<T extends z.ZodType>(entry: T) {
  const isShort = (value: unknown) => Array.isArray(value) && value.length <= TEXTS_MAX
  return z.custom<unknown[]>(isShort).pipe(z.array(entry))
}

const openAi: Dialect = {
  path: '/embeddings',
  fields: { encoding_format: 'float' },
  read(body, count) {
    const response = parse(OpenAiResponse, body)
    const entries = new Map(response?.data.map(({ index, embedding }, at) => [index ?? at, embedding]))
    // Two for one text: nobody knows which belongs to it.
    const isClear = entries.size === response?.data.length
    const vectors = isClear ? Array.from({ length: entries.size }, (_, at) => entries.get(at)) : []
    return toEmbedded(vectors, response?.usage?.prompt_tokens ?? null, count)
  },
}

const DIALECTS: Record<ModelProvider['kind'], Dialect> = {
  openai: openAi,
  'openai-compatible': openAi,
  google: { ...openAi, path: '/openai/embeddings' },
  anthropic: openAi,
  ollama: {
    path: '/api/embed',
    fields: { truncate: true },
    read(body, count) {
      const response = parse(OllamaResponse, body)
      return toEmbedded(response?.embeddings ?? [], response?.prompt_eval_count ?? null, count)
    },
  },
}

function parse<T>(schema: z.ZodType<T>, body: string): T | null {
  try {
    return schema.safeParse(JSON.parse(body.replaceAll(NO_NUMBER, 'null'))).data ?? null
  } catch {
    return null
  }
}

/** Python's servers write these, which are no JSON. */
const NO_NUMBER = /(?<=[[,\s])(?:NaN|-?Infinity)(?=[\],\s])/g

function toEmbedded(found: readonly unknown[], tokens: number | null, count: number): Embedded {
  // Otherwise, nobody knows which belongs to which text.
  const isComplete = found.length === count
  const values = Array.from({ length: count }, (_, at) => (isComplete ? found[at] : null))
  const length = usualLength(values.filter(isVector))
  const vectors = values.map((value) =>
    isVector(value) && value.length === length ? Float32Array.from(value) : null,
  )
  return { vectors, tokens }
}

/** The most frequent. */
function usualLength(vectors: readonly number[][]): number | null {
  const counts = new Map<number, number>()
  for (const { length } of vectors) counts.set(length, (counts.get(length) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null
}
