import { z } from 'zod'
import type { ModelProvider } from '../provider.ts'
import {
  fetchJson,
  type ListedModel,
  ListingError,
  type ListingOptions,
  listedModel,
  type Modality,
} from './listing.ts'

const count = z.number().int().positive().nullish().catch(null)
const perToken = z.coerce.number().min(0).finite().optional().catch(undefined)
const names = z.array(z.string()).nullish().catch(null)

/** OpenAI's fields plus those from OpenRouter, Groq, vLLM, Mistral and llama.cpp. */
const Model = z.object({
  id: z.string().min(1).max(300),
  name: z.string().nullish().catch(null),
  created: z.number().nullish().catch(null),
  context_length: count,
  context_window: count,
  max_context_length: count,
  max_model_len: count,
  max_completion_tokens: count,
  active: z.boolean().nullish().catch(null),
  meta: z.object({ n_ctx_train: count }).nullish().catch(null),
  top_provider: z.object({ max_completion_tokens: count }).nullish().catch(null),
  architecture: z.object({ input_modalities: names, output_modalities: names }).nullish().catch(null),
  supported_parameters: names,
  capabilities: z
    .object({ function_calling: z.boolean().optional(), vision: z.boolean().optional() })
    .nullish()
    .catch(null),
  pricing: z
    .object({
      prompt: perToken,
      completion: perToken,
      input_cache_read: perToken,
      input_cache_write: perToken,
    })
    .nullish()
    .catch(null),
})

/** Llama.cpp and a few gateways return an array. */
const List = z.union([
  z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data),
  z.array(z.unknown()),
])

export async function listOpenAi(provider: ModelProvider, options: ListingOptions): Promise<ListedModel[]> {
  const headers = provider.apiKey ? { authorization: `Bearer ${provider.apiKey}` } : undefined
  const list = List.safeParse(await fetchJson({ url: `${provider.url}/models`, headers }, options))
  if (!list.success) throw new ListingError('The response is not a model list: check the URL')
  return list.data
    .flatMap((item) => Model.safeParse(item).data ?? [])
    .filter((model) => model.active !== false && isForText(model))
    .map((model) => present(model, provider.kind === 'openai'))
}

type Model = z.output<typeof Model>

/** Null if it isn't a model list. */
export function listedNames(response: unknown): string[] | null {
  const list = List.safeParse(response)
  if (!list.success) return null
  return list.data
    .flatMap((item) => Model.safeParse(item).data ?? [])
    .filter(isForText)
    .map(({ id }) => id)
}

/** OpenAI lists all kinds of models without naming the kind. */
const OTHER_KINDS =
  /embed|whisper|tts|dall-e|moderation|transcribe|realtime|rerank|sora|babbage|davinci|gpt-(audio|image)|(^|-)image(-|$)|stable-diffusion|-audio-|guard/i

const isForText = ({ id, architecture }: Model) =>
  architecture?.output_modalities ? architecture.output_modalities.includes('text') : !OTHER_KINDS.test(id)

function present(model: Model, isOpenAi: boolean): ListedModel {
  const { architecture, supported_parameters: parameters, capabilities } = model
  const vision = capabilities?.vision === undefined ? null : capabilities.vision
  const properties: Partial<ListedModel> = {
    name: model.name ?? null,
    created: model.created ?? null,
    contextWindow:
      model.context_length ??
      model.context_window ??
      model.max_model_len ??
      model.max_context_length ??
      model.meta?.n_ctx_train ??
      null,
    maxOutput: model.top_provider?.max_completion_tokens ?? model.max_completion_tokens ?? null,
    input:
      modalities(architecture?.input_modalities) ??
      (vision === null ? null : vision ? ['text', 'image'] : ['text']),
    output: modalities(architecture?.output_modalities),
    tools: parameters?.includes('tools') ?? capabilities?.function_calling ?? null,
    reasoning: parameters?.includes('reasoning') ?? null,
    prices: pricesOf(model),
  }
  return listedModel(model.id, isOpenAi ? { ...properties, ...openAiTraits(model.id) } : properties)
}

/** OpenAI lists no properties, so this derives them from names. */
function openAiTraits(id: string): Partial<ListedModel> {
  const reasoning = /^(o\d|gpt-5|gpt-[6-9]|codex)/.test(id) && !/chat/.test(id)
  const seesImages = reasoning
    ? !/^o1-mini|^o3-mini/.test(id)
    : /^(chatgpt-)?gpt-(4o|4\.1|4-turbo|5)/.test(id)
  const tools = !/^(o1-mini|o1-preview|chatgpt-)|-chat-latest|search|instruct/.test(id)
  return { reasoning, tools, input: seesImages ? ['text', 'image'] : ['text'], output: ['text'] }
}

const MODALITIES: readonly string[] = ['text', 'image', 'audio', 'video', 'file']

const modalities = (list: string[] | null | undefined) =>
  list ? (list.filter((name) => MODALITIES.includes(name)) as Modality[]) : null

const MILLION = 1_000_000

/** The listed prices are per token, as decimal strings. */
function pricesOf({ pricing }: Model): ListedModel['prices'] {
  if (pricing?.prompt === undefined || pricing.completion === undefined) return null
  const perMillion = (price: number) => Number((price * MILLION).toFixed(6))
  return {
    input: perMillion(pricing.prompt),
    output: perMillion(pricing.completion),
    cacheRead: pricing.input_cache_read === undefined ? null : perMillion(pricing.input_cache_read),
    cacheWrite: pricing.input_cache_write === undefined ? null : perMillion(pricing.input_cache_write),
  }
}
