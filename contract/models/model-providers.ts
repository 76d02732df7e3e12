import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { browser, endpoint, member, steppedUp } from '../endpoint.ts'
import { Id, Timestamp, text } from '../fields.ts'
import { ModelPricing } from './models.ts'
import { PROVIDER_KINDS } from './providers.ts'

export const PROVIDER_AREA = 'Managing model providers'

const byId = z.object({ id: Id })

const Name = displayName(1, 80)
const Slug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be 1 to 40 lowercase letters, digits and hyphens')
  .refine((slug) => slug !== 'test', 'must not be test, which is reserved for test models')
  .describe('Part of a model id before the first slash; derived from the name if absent')
  .meta({ examples: ['groq'] })
const Url = text(1, 2000).describe(
  'API base URL. Required for `openai-compatible`; defaults to the vendor’s URL',
)
const ApiKey = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,1000}$/, 'must be 1 to 1,000 printable ASCII characters without spaces')
  .describe('Stored encrypted and never returned')
  .meta({ examples: ['sk-5f0c1d2e3b4a'] })
const ModelNames = z
  .array(text(1, 200))
  .max(200, 'must have at most 200 models')
  .transform((names) => [...new Set(names)])
  .describe('Models to offer; empty for those the provider lists')

export const ModelProvider = z.object({
  id: Id,
  slug: z.string().meta({ examples: ['groq'] }),
  kind: z.enum(PROVIDER_KINDS),
  name: z.string(),
  url: z.string(),
  hasKey: z.boolean(),
  lastFour: z.string().nullable().describe('Last characters of the key; null if it is too short to show any'),
  models: z.array(z.string()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const modelProviders = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/model-providers',
    summary: 'List model providers',
    description:
      'Providers that the organization added, by name. `GET /models` shows whether they respond, and the server’s own providers.',
    access: member({ role: 'admin' }),
    output: z.object({ items: z.array(ModelProvider) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/model-providers',
    summary: 'Add a model provider',
    description:
      'Its models are `<slug>/<model>`. A provider with the same slug as a server provider replaces it in this organization. Returns CONFLICT if the organization already has a provider with this slug.',
    access: steppedUp(PROVIDER_AREA, { role: 'admin' }),
    body: z.object({
      kind: z.enum(PROVIDER_KINDS),
      name: Name,
      slug: Slug.optional(),
      url: Url.optional(),
      apiKey: ApiKey.optional(),
      models: ModelNames.optional(),
    }),
    output: ModelProvider,
    status: 201,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/model-providers/:id',
    summary: 'Get a model provider',
    access: member({ role: 'admin' }),
    params: byId,
    output: ModelProvider,
    versioned: true,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/model-providers/:id',
    summary: 'Update a model provider',
    description:
      'Changing `url` requires the `apiKey` again, so that a stored key is never sent to another server. A null `apiKey` removes the key.',
    access: steppedUp(PROVIDER_AREA, { role: 'admin' }),
    params: byId,
    body: z
      .object({
        name: Name.optional(),
        url: Url.optional(),
        apiKey: ApiKey.nullable()
          .optional()
          .meta({ examples: ['sk-5f0c1d2e3b4a'] }),
        models: ModelNames.optional(),
      })
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must have at least one field to change',
      }),
    output: ModelProvider,
    versioned: true,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/model-providers/:id',
    summary: 'Delete a model provider',
    description: 'Permanently deletes the provider and its key.',
    access: steppedUp(PROVIDER_AREA, { role: 'admin' }),
    params: byId,
    output: z.object({ deleted: z.literal(true) }),
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/v1/model-providers/:id/test',
    summary: 'Test a model provider',
    description:
      'Asks the provider for its models now. If the provider rejects the key or does not respond, returns 200 with the `problem`.',
    access: member({ role: 'admin' }),
    params: byId,
    output: z.object({
      ok: z.boolean(),
      problem: z.string().nullable(),
      modelCount: z.int().describe('Number of models that it offers'),
    }),
    limit: { name: 'model-provider-test', by: 'caller', capacity: 10, perSeconds: 60 },
  }),
  tryOut: endpoint({
    method: 'POST',
    path: '/api/v1/model-providers/test',
    summary: 'Try a model provider before you add it',
    description:
      'Asks for its models and sends one of them a message of a few tokens, which the provider bills. Stores nothing. If the provider refuses, returns 200 with the `problem` and its own `words`.',
    access: browser(PROVIDER_AREA, { role: 'admin' }),
    body: z.object({
      kind: z.enum(PROVIDER_KINDS),
      url: Url.optional(),
      apiKey: ApiKey.optional(),
      models: ModelNames.optional(),
      model: text(1, 300).optional().describe('Model to call, without a provider; chosen if absent'),
    }),
    output: z.object({
      ok: z.boolean().describe('Whether the model replied'),
      problem: z.string().nullable(),
      words: z.string().nullable().describe('What the provider itself said, without keys: untrusted text'),
      status: z.int().nullable().describe('The provider’s HTTP status'),
      models: z
        .array(
          z.object({
            name: z
              .string()
              .describe('Without a provider')
              .meta({ examples: ['gpt-5'] }),
            pricing: ModelPricing.nullable(),
            contextWindow: z.int().nullable(),
          }),
        )
        .describe('At most 500, in the provider’s order'),
      model: z.string().nullable().describe('The model that was called, a good default'),
      reply: z.string().nullable().describe('At most 200 characters: untrusted text'),
      durationMs: z.int().nullable(),
    }),
    limit: { name: 'model-provider-test', by: 'caller', capacity: 10, perSeconds: 60 },
  }),
  local: endpoint({
    method: 'GET',
    path: '/api/v1/local-model-servers',
    summary: 'Find model servers on the server’s machine',
    description:
      'Looks for Ollama, LM Studio, llama.cpp and vLLM at their usual loopback addresses, and nowhere else. Searches only for operators, or if the operator allows loopback addresses; otherwise, `searched` is false.',
    access: browser(PROVIDER_AREA, { role: 'admin' }),
    output: z.object({
      searched: z.boolean(),
      items: z.array(
        z.object({
          id: z.string().meta({ examples: ['lm-studio'] }),
          name: z.string(),
          url: z.string().describe('Add it as an `openai-compatible` provider with this URL'),
          models: z.array(z.string()).describe('At most 100'),
          connected: z.boolean().describe('Whether the organization already uses it'),
        }),
      ),
    }),
    limit: { name: 'local-model-servers', by: 'caller', capacity: 20, perSeconds: 60 },
  }),
}
