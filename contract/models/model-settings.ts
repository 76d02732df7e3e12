import { z } from 'zod'
import { endpoint, member, steppedUp } from '../endpoint.ts'
import { Id, Timestamp, text } from '../fields.ts'
import { MODELS_PER_CHANGE_MAX } from './model-options.ts'

const MODEL_SETTINGS_AREA = 'Managing model prices'

const WINDOW_RULE = 'must be a whole number of tokens from 1,000 to 100,000,000'
const PRICE_RULE = 'must be a number of US dollars per million tokens from 0 to 1,000,000'
const price = z.number({ error: PRICE_RULE }).min(0, PRICE_RULE).max(1_000_000, PRICE_RULE)

const Pricing = z
  .strictObject({
    input: price.meta({ examples: [1.25] }),
    output: price.meta({ examples: [10] }),
    cacheRead: price.nullable().default(null).describe('Input read from the cache; null for the input price'),
    cacheWrite: price
      .nullable()
      .default(null)
      .describe('Input written to the cache; null for the input price'),
  })
  .describe('US dollars per million tokens; 0 if the model is free')
const ContextWindow = z
  .int({ error: WINDOW_RULE })
  .min(1000, WINDOW_RULE)
  .max(100_000_000, WINDOW_RULE)
  .describe('In tokens')

const ACCEPTS_IMAGES =
  'Whether the model accepts images, where its provider’s list is wrong or says nothing; null to use the list'

const ModelId = text(3, 300)
  .refine((id) => /^[^/\s]+\/\S+$/.test(id), 'must be a model such as openai/gpt-5')
  .meta({ examples: ['ollama/llama3.2'] })

const ModelSettings = z.object({
  model: z.string().meta({ examples: ['ollama/llama3.2'] }),
  pricing: Pricing.nullable().describe(
    'Null if the price comes from the operator, the built-in table or the provider',
  ),
  contextWindow: z.int().nullable().describe('Null to use the provider’s or built-in table’s value'),
  acceptsImages: z.boolean().nullable().describe(ACCEPTS_IMAGES),
  updatedBy: Id.nullable(),
  updatedAt: Timestamp,
})

/** For models with a provider that doesn't report them. */
export const modelSettings = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/model-settings',
    summary: 'List model prices',
    description:
      'Prices, context windows and image support set by admins, by model. `GET /models` shows the ones in effect.',
    access: member(),
    output: z.object({ items: z.array(ModelSettings) }),
  }),
  put: endpoint({
    method: 'PUT',
    path: '/api/v1/model-settings',
    summary: 'Set model prices',
    description:
      'Sets the price, context window and image support for one or more models; a model with all of them null loses its settings. Budgets use the price starting with the next model call.',
    access: steppedUp(MODEL_SETTINGS_AREA, { role: 'admin' }),
    body: z.strictObject({
      models: z
        .array(ModelId)
        .min(1, 'must have at least one model')
        .max(MODELS_PER_CHANGE_MAX, `must have at most ${MODELS_PER_CHANGE_MAX} models`)
        .transform((ids) => [...new Set(ids)]),
      pricing: Pricing.nullable(),
      contextWindow: ContextWindow.nullable(),
      acceptsImages: z
        .boolean()
        .nullable()
        .optional()
        .describe(`${ACCEPTS_IMAGES}. Stays as it is if absent`),
    }),
    output: z.object({ items: z.array(ModelSettings).describe('Settings for the given models') }),
  }),
}
