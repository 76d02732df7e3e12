import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { Timestamp } from '../fields.ts'

const Modality = z.enum(['text', 'image', 'audio', 'video', 'file'])
const availability = z.enum(['available', 'unavailable'])

const unitPrices = {
  input: z.number().meta({ examples: [1.25] }),
  output: z.number().meta({ examples: [10] }),
  cacheRead: z.number().nullable().describe('Input read from the cache; null for the input price'),
  cacheWrite: z.number().nullable().describe('Input written to the cache; null for the input price'),
}

export const ModelPricing = z
  .object({
    currency: z.literal('USD'),
    ...unitPrices,
    tiers: z
      .array(z.object({ above: z.int(), ...unitPrices }))
      .describe('Prices for a whole call whose input has more tokens than `above`'),
    source: z
      .enum(['organization', 'operator', 'table', 'provider'])
      .describe(
        'Set by an organization admin or the operator, or taken from the built-in table or the provider’s list',
      ),
  })
  .describe('US dollars per million tokens')

export const Model = z.object({
  id: z
    .string()
    .describe('`provider/model`')
    .meta({ examples: ['openai/gpt-5'] }),
  provider: z.string().meta({ examples: ['openai'] }),
  name: z.string().meta({ examples: ['GPT-5'] }),
  contextWindow: z
    .int()
    .nullable()
    .describe('In tokens; null if unknown')
    .meta({ examples: [400_000] }),
  maxOutput: z.int().nullable().describe('In tokens; null if unknown'),
  modalities: z.object({ input: z.array(Modality), output: z.array(Modality) }),
  tools: z.boolean().nullable().describe('Whether it can call tools; null if unknown'),
  reasoning: z.boolean().nullable(),
  pricing: ModelPricing.nullable(),
  availability: availability.describe('`unavailable`: the last request to the provider failed'),
  isTest: z.boolean().describe('Test model, which calls no provider'),
})

export const ModelProviderState = z.object({
  id: z.string().describe('Part of a model id before the first slash'),
  name: z.string(),
  source: z
    .enum(['organization', 'environment', 'local'])
    .describe('Added by the organization, configured by the operator, or found on the server’s machine'),
  availability,
  problem: z.string().nullable().describe('Why it is not available'),
  checkedAt: Timestamp.nullable().describe('When the provider last listed its models, or failed to'),
})

export const ModelList = z.object({
  items: z.array(Model),
  providers: z.array(ModelProviderState),
  hint: z.string().nullable().describe('Next step if no provider is configured'),
})

export const OpenAiModelList = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() }),
  ),
})

export const models = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/models',
    summary: 'List models',
    description:
      'Language models that the organization can use, with context window and prices; test models come last. Provider lists are cached for five minutes. A provider that fails is `unavailable` with its `problem`. `format=openai` responds in the OpenAI format.',
    access: member({ scope: 'models:read' }),
    query: z.object({ format: z.enum(['atrium', 'openai']).default('atrium') }),
    output: z.union([ModelList, OpenAiModelList]),
    tool: 'read',
  }),
}
