import { z } from 'zod'
import type { ModelProvider } from '../provider.ts'
import { fetchJson, type ListedModel, ListingError, type ListingOptions, listedModel } from './listing.ts'

/** Ollama reads a model file header for each. */
const DETAILS_MAX = 100

const Tags = z.object({ models: z.array(z.object({ name: z.string().min(1).max(300) })) })

const Details = z.object({
  capabilities: z.array(z.string()).nullish().catch(null),
  model_info: z.record(z.string(), z.unknown()).nullish().catch(null),
})

export async function listOllama({ url }: ModelProvider, options: ListingOptions): Promise<ListedModel[]> {
  const tags = Tags.safeParse(await fetchJson({ url: `${url}/api/tags` }, options))
  if (!tags.success) throw new ListingError('The response is not a model list: check the URL')
  const models = await Promise.all(
    tags.data.models.slice(0, DETAILS_MAX).map(({ name }) => describe(url, name, options)),
  )
  return models.flatMap((model) => model ?? [])
}

/** Null for non-text models. */
async function describe(url: string, name: string, options: ListingOptions): Promise<ListedModel | null> {
  const body = { model: name }
  const details = Details.safeParse(
    await fetchJson({ url: `${url}/api/show`, body }, options).catch(() => ({})),
  )
  const { capabilities, model_info: info } = details.data ?? {}
  if (capabilities && !capabilities.includes('completion')) return null
  const contextWindow = Object.entries(info ?? {}).find(([key]) => key.endsWith('.context_length'))?.[1]
  return listedModel(name, {
    contextWindow: typeof contextWindow === 'number' ? contextWindow : null,
    input: capabilities ? (capabilities.includes('vision') ? ['text', 'image'] : ['text']) : null,
    output: ['text'],
    tools: capabilities?.includes('tools') ?? null,
    reasoning: capabilities?.includes('thinking') ?? null,
  })
}
