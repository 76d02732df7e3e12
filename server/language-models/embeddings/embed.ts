import { z } from 'zod'
import type { ModelProvider } from '../provider.ts'
import { type ProviderCall, type ProviderOutcome, sendRequest } from '../provider-request.ts'
import { addPrefix, type TextKind } from './prefixes.ts'

export interface Embedded {
  /** In the texts' order, all of one length. */
  vectors: Float32Array[]
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
const Vector = z.custom<number[]>(
  (value) =>
    Array.isArray(value) &&
    value.length >= DIMENSIONS.min &&
    value.length <= DIMENSIONS.max &&
    value.every((number) => typeof number === 'number'),
)

const OpenAiResponse = z.object({
  data: listOf(z.object({ index: z.number().int().optional(), embedding: Vector })),
  usage: z.object({ prompt_tokens: tokens }).nullish().catch(null),
})
const OllamaResponse = z.object({ embeddings: listOf(Vector), prompt_eval_count: tokens })

/** Longer ones are refused before their entries are read. */
function listOf<T extends z.ZodType>(entry: T) {
  const isShort = (value: unknown) => Array.isArray(value) && value.length <= TEXTS_MAX
  return z.custom<unknown[]>(isShort).pipe(z.array(entry))
}

const openAi: Dialect = {
  path: '/embeddings',
  fields: { encoding_format: 'float' },
  read(body, count) {
    const { data, usage } = parse(OpenAiResponse, body)
    const ordered = data.map(({ index, embedding }, at) => ({ at: index ?? at, embedding }))
    const vectors = ordered.toSorted((a, b) => a.at - b.at).map(({ embedding }) => embedding)
    return toEmbedded(vectors, usage?.prompt_tokens ?? null, count)
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
      const { embeddings, prompt_eval_count: counted } = parse(OllamaResponse, body)
      return toEmbedded(embeddings, counted ?? null, count)
    },
  },
}

function parse<T>(schema: z.ZodType<T>, body: string): T {
  try {
    return schema.parse(JSON.parse(body))
  } catch {
    throw wrongResponse()
  }
}

function toEmbedded(vectors: number[][], tokens: number | null, count: number): Embedded {
  const isComplete = vectors.length === count && vectors.every(({ length }) => length === vectors[0]!.length)
  if (!isComplete) throw wrongResponse()
  return { vectors: vectors.map((vector) => Float32Array.from(vector)), tokens }
}

const wrongResponse = () => Object.assign(new Error('its response has no embeddings'), { statusCode: 502 })
