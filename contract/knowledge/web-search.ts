import { z } from 'zod'
import { endpoint, member, steppedUp } from '../endpoint.ts'
import { Id, Timestamp, text } from '../fields.ts'
import { SEARCH_PROVIDER_KINDS } from './search-providers.ts'

export const WEB_SEARCH_AREA = 'Managing web search'

const Kind = z.enum(SEARCH_PROVIDER_KINDS, {
  error: `must be one of ${SEARCH_PROVIDER_KINDS.join(', ')}`,
})

const Price = z.number().nullable()

const Settings = z.object({
  kind: Kind,
  url: z.string().nullable().describe('Null for the vendor’s own'),
  engineId: z.string().nullable(),
  hasKey: z.boolean(),
  lastFour: z.string().nullable().describe('Last characters of the key; null if it is too short to show any'),
  pricePerSearch: Price.describe('In US dollars; null for the vendor’s list price'),
  updatedBy: Id,
  updatedAt: Timestamp,
})

const SettingsState = z.object({
  settings: Settings.nullable().describe('Null if the organization has not chosen a provider'),
  server: z
    .object({ kind: Kind })
    .nullable()
    .describe('The operator’s provider, used while the organization has not chosen one'),
})

export const webSearch = {
  get: endpoint({
    method: 'GET',
    path: '/api/v1/web-search',
    summary: 'Get the web search provider',
    description: 'Where agents search the web, and how much a run may search and read.',
    access: member(),
    output: z.object({
      provider: z
        .object({
          kind: Kind,
          name: z.string(),
          source: z.enum(['organization', 'server']),
          pricePerSearch: Price.describe(
            'In US dollars, as the ledger and budgets count it; null if it is unknown',
          ),
        })
        .nullable(),
      hint: z.string().nullable().describe('What to do while no provider is set'),
      limits: z.object({
        searchesPerRun: z.int(),
        fetchesPerRun: z.int().describe('Web pages that a run may read'),
      }),
    }),
    tool: 'read',
  }),
  settings: endpoint({
    method: 'GET',
    path: '/api/v1/web-search/settings',
    summary: 'Get web search settings',
    access: member({ role: 'admin' }),
    output: SettingsState,
  }),
  put: endpoint({
    method: 'PUT',
    path: '/api/v1/web-search/settings',
    summary: 'Set the web search provider',
    description:
      'Replaces the organization’s settings. Without `apiKey`, the stored key stays; another `kind` or `url` requires the key again, so that a stored key is never sent to another server.',
    access: steppedUp(WEB_SEARCH_AREA, { role: 'admin' }),
    body: z.object({
      kind: Kind,
      url: text(1, 2000)
        .optional()
        .describe('Base URL. Required for `searxng`, not for `model`; defaults to the vendor’s URL')
        .meta({ examples: ['https://searx.example.com'] }),
      engineId: text(1, 200).optional().describe('Required for `google`, which calls it cx'),
      apiKey: z
        .string()
        .trim()
        .regex(/^[\x21-\x7e]{1,1000}$/, 'must be 1 to 1,000 printable ASCII characters without spaces')
        .optional()
        .describe('Stored encrypted and never returned')
        .meta({ examples: ['BSA-5f0c1d2e3b4a'] }),
      pricePerSearch: z
        .number()
        .min(0)
        .max(100)
        .nullish()
        .describe(
          'In US dollars, for the ledger and budgets. Defaults to the vendor’s list price where there is one',
        )
        .meta({ examples: [0.005] }),
    }),
    output: SettingsState,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/web-search/settings',
    summary: 'Remove the web search provider',
    description:
      'Permanently deletes the settings and the key. Agents then use the operator’s provider, if any.',
    access: steppedUp(WEB_SEARCH_AREA, { role: 'admin' }),
    output: z.object({ deleted: z.literal(true) }),
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/v1/web-search/test',
    summary: 'Test the web search provider',
    description:
      'Sends one search, which the provider may bill. If it fails, returns 200 with the `problem`. Returns CONFLICT if no provider is set.',
    access: member({ role: 'admin' }),
    output: z.object({
      ok: z.boolean(),
      problem: z.string().nullable(),
      resultCount: z.int(),
      durationMs: z.int(),
    }),
    limit: { name: 'web-search-test', by: 'caller', capacity: 10, perSeconds: 60 },
  }),
}
