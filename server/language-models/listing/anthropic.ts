import { z } from 'zod'
import type { ModelProvider } from '../provider.ts'
import { fetchJson, type ListedModel, ListingError, type ListingOptions, listedModel } from './listing.ts'

const PAGES_MAX = 10

const supported = z.object({ supported: z.boolean() }).nullish().catch(null)

const Model = z.object({
  id: z.string().min(1).max(300),
  display_name: z.string().nullish().catch(null),
  created_at: z.string().nullish().catch(null),
  lifecycle: z.string().nullish().catch(null),
  max_input_tokens: z.number().int().positive().nullish().catch(null),
  max_tokens: z.number().int().positive().nullish().catch(null),
  capabilities: z
    .object({ image_input: supported, pdf_input: supported, thinking: supported })
    .nullish()
    .catch(null),
})

const Page = z.object({
  data: z.array(z.unknown()),
  has_more: z.boolean().nullish(),
  last_id: z.string().nullish(),
})

export async function listAnthropic(
  { url, apiKey }: ModelProvider,
  options: ListingOptions,
): Promise<ListedModel[]> {
  const headers = { 'x-api-key': apiKey ?? '', 'anthropic-version': '2023-06-01' }
  const models: ListedModel[] = []
  let after = ''
  for (let page = 0; page < PAGES_MAX; page++) {
    const parsed = Page.safeParse(
      await fetchJson({ url: `${url}/models?limit=1000${after}`, headers }, options),
    )
    if (!parsed.success) throw new ListingError('The response is not a model list: check the URL')
    const { data, has_more: hasMore, last_id: lastId } = parsed.data
    models.push(
      ...data
        .flatMap((item) => Model.safeParse(item).data ?? [])
        .filter(isInService)
        .map(present),
    )
    if (!hasMore || !lastId) break
    after = `&after_id=${encodeURIComponent(lastId)}`
  }
  return models
}

type Model = z.output<typeof Model>

const isInService = ({ lifecycle }: Model) => lifecycle !== 'retired'

function present({ id, capabilities, ...model }: Model): ListedModel {
  const created = Date.parse(model.created_at ?? '')
  return listedModel(id, {
    name: model.display_name ?? null,
    created: Number.isNaN(created) ? null : Math.floor(created / 1000),
    contextWindow: model.max_input_tokens ?? null,
    maxOutput: model.max_tokens ?? null,
    input: [
      'text',
      ...(capabilities?.image_input?.supported === false ? [] : (['image'] as const)),
      ...(capabilities?.pdf_input?.supported ? (['file'] as const) : []),
    ],
    output: ['text'],
    tools: true,
    reasoning: capabilities?.thinking?.supported ?? null,
  })
}
