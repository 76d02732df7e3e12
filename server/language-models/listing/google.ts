import { z } from 'zod'
import type { ModelProvider } from '../provider.ts'
import { fetchJson, type ListedModel, ListingError, type ListingOptions, listedModel } from './listing.ts'

const PAGES_MAX = 10

const Model = z.object({
  name: z
    .string()
    .regex(/^models\/./)
    .max(300),
  displayName: z.string().nullish().catch(null),
  inputTokenLimit: z.number().int().positive().nullish().catch(null),
  outputTokenLimit: z.number().int().positive().nullish().catch(null),
  supportedGenerationMethods: z.array(z.string()).nullish().catch(null),
  thinking: z.boolean().nullish().catch(null),
})

const Page = z.object({ models: z.array(z.unknown()).default([]), nextPageToken: z.string().nullish() })

export async function listGoogle(
  { url, apiKey }: ModelProvider,
  options: ListingOptions,
): Promise<ListedModel[]> {
  const headers = { 'x-goog-api-key': apiKey ?? '' }
  const models: ListedModel[] = []
  let token = ''
  for (let page = 0; page < PAGES_MAX; page++) {
    const parsed = Page.safeParse(
      await fetchJson({ url: `${url}/models?pageSize=1000${token}`, headers }, options),
    )
    if (!parsed.success) throw new ListingError('The response is not a model list: check the URL')
    const { models: items, nextPageToken } = parsed.data
    models.push(
      ...items
        .flatMap((item) => Model.safeParse(item).data ?? [])
        .filter(isForText)
        .map(present),
    )
    if (!nextPageToken) break
    token = `&pageToken=${encodeURIComponent(nextPageToken)}`
  }
  return models
}

type Model = z.output<typeof Model>

const OTHER_KINDS = /embedding|image|tts|audio|live|veo|imagen|aqa|robotics|computer-use/

const isForText = ({ name, supportedGenerationMethods: methods }: Model) =>
  (methods?.includes('generateContent') ?? true) && !OTHER_KINDS.test(name)

const present = (model: Model): ListedModel => {
  const id = model.name.slice('models/'.length)
  const isGemini = id.startsWith('gemini')
  return listedModel(id, {
    name: model.displayName ?? null,
    contextWindow: model.inputTokenLimit ?? null,
    maxOutput: model.outputTokenLimit ?? null,
    input: isGemini ? ['text', 'image', 'audio', 'video', 'file'] : null,
    output: ['text'],
    tools: isGemini ? true : null,
    reasoning: model.thinking ?? false,
  })
}
