import { refuseInTransaction } from '../concurrency/work-scope.ts'
import type { ModelsConfig } from '../config/models.ts'
import type { Sql } from '../database/database.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { describeById, describeListing, type ModelInfo } from './describe-model.ts'
import { createModelCache, type LanguageModel } from './language-model.ts'
import { createCatalog, type Listing } from './listing/catalog.ts'
import { loadPriceTable, type ModelSetting } from './prices.ts'
import { type ModelProvider, splitModelId } from './provider.ts'
import { createRegistry, type LoadProviders } from './registry.ts'
import { describeTestModel, findTestModel, TEST_MODELS, TEST_PROVIDER } from './test-models/test-models.ts'
import { trustedFetch, withTraceHeaders } from './trusted-fetch.ts'

/** The prices and context windows that an organization sets, by model id. */
export type LoadModelSettings = (orgId: string, sql?: Sql) => Promise<ReadonlyMap<string, ModelSetting>>

interface ModelsOptions {
  config: ModelsConfig
  loadProviders: LoadProviders
  /** What an organization sets for its models; nothing by default. */
  loadSettings?: LoadModelSettings
  outbound: Pick<Outbound, 'fetch'>
  now: () => Date
  /** How long a list waits for a provider about which nothing is known. */
  waitMs?: number
}

/** A provider in a list of models. */
interface ProviderState {
  id: string
  name: string
  source: ModelProvider['source']
  availability: 'available' | 'unavailable'
  /** Why it is not available; for members. */
  problem: string | null
  checkedAt: Date | null
}

export type FoundModel =
  | {
      kind: 'model'
      model: LanguageModel
      provider: {
        id: string
        name: string
        source: ModelProvider['source'] | 'test'
        kind: ModelProvider['kind'] | 'test'
      }
      /** Its context window, prices and abilities. */
      describe: () => Promise<ModelInfo | null>
    }
  /** No such provider in this organization, or no such test model. The reason is for members. */
  | { kind: 'unknown'; reason: string }

/**
 * The models from which an agent without one gets its model. Listing them asks providers, so a call that starts a run
 * reads them before its transaction.
 */
export type ModelChoices = readonly ModelInfo[]

export type Models = ReturnType<typeof createModels>

/** Every language model that an organization can use: the operator's providers, its own, Ollama, and the test models. */
export function createModels({
  config,
  loadProviders,
  loadSettings = async () => new Map(),
  outbound,
  now,
  waitMs,
}: ModelsOptions) {
  const registry = createRegistry(config, loadProviders)
  // The URL of an organization is untrusted: it must not reach the network of this server.
  const fetchFor = ({ source }: ModelProvider) => (source === 'organization' ? outbound.fetch : trustedFetch)
  const modelOf = createModelCache((provider) => withTraceHeaders(fetchFor(provider)))
  const catalog = createCatalog({ fetchFor, now, ...(waitMs !== undefined && { waitMs }) })
  let priceTable: ReturnType<typeof loadPriceTable> | undefined

  async function loadPriceSources(orgId: string, sql?: Sql) {
    priceTable ??= loadPriceTable()
    const [lookUp, settings] = await Promise.all([priceTable, loadSettings(orgId, sql)])
    const at = now()
    const table = (provider: ModelProvider, model: string) => lookUp(provider, model, at)
    return { prices: config.prices, settings, table }
  }

  async function describeOf(orgId: string, provider: ModelProvider, model: string): Promise<ModelInfo> {
    refuseInTransaction('a model provider')
    const [listing, sources] = await Promise.all([catalog.get(provider), loadPriceSources(orgId)])
    return describeById(provider, model, listing, sources)
  }

  async function describeKnownOf(
    sql: Sql,
    orgId: string,
    provider: ModelProvider,
    model: string,
  ): Promise<ModelInfo> {
    return describeById(provider, model, catalog.peek(provider), await loadPriceSources(orgId, sql))
  }

  async function describeBy(
    orgId: string,
    id: string,
    describe: (orgId: string, provider: ModelProvider, model: string) => Promise<ModelInfo>,
    findProvider: (providerId: string) => Promise<ModelProvider | null>,
  ): Promise<ModelInfo | null> {
    const parts = splitModelId(id)
    if (!parts) return null
    if (parts.providerId === TEST_PROVIDER)
      return config.testModels ? describeTestModel(parts.model, config.prices) : null
    const provider = await findProvider(parts.providerId)
    return provider && describe(orgId, provider, parts.model)
  }

  /** Ollama is shown if it runs or if the operator set its URL. */
  const isShown = ({ provider, listing }: { provider: ModelProvider; listing: Listing }) =>
    provider !== registry.ollama || config.ollama?.isExplicit || listing.problem === null

  /** All models and providers, the test models last. */
  async function list(orgId: string): Promise<{ models: ModelInfo[]; providers: ProviderState[] }> {
    const providers = await registry.providersOf(orgId)
    const [sources, ...listings] = await Promise.all([
      loadPriceSources(orgId),
      ...providers.map(async (provider) => ({ provider, listing: await catalog.get(provider) })),
    ])
    const shownListings = listings.filter(isShown)
    const models = shownListings.flatMap(({ provider, listing }) =>
      describeListing(provider, listing, sources),
    )
    const testModels = config.testModels
      ? TEST_MODELS.flatMap((model) => describeTestModel(model, config.prices) ?? [])
      : []
    return {
      models: [...models, ...testModels],
      providers: shownListings.map(({ provider, listing }) => stateOf(provider, listing)),
    }
  }

  return {
    /** The model to call. */
    async find(orgId: string, id: string): Promise<FoundModel> {
      const parts = splitModelId(id)
      if (!parts) return unknown(`${id} is not a model id such as openai/gpt-5`)
      if (parts.providerId === TEST_PROVIDER) {
        const model = config.testModels ? findTestModel(parts.model) : null
        const test = 'test' as const
        const provider = { id: TEST_PROVIDER, name: 'Test models', source: test, kind: test }
        const describe = async () => describeTestModel(parts.model, config.prices)
        return model
          ? { kind: 'model', model, provider, describe }
          : unknown(`There is no test model ${id} on this server`)
      }
      const provider = await registry.find(orgId, parts.providerId)
      if (!provider) return unknown(`The organization has no model provider "${parts.providerId}"`)
      const model = await modelOf(provider, parts.model)
      return { kind: 'model', model, provider, describe: () => describeOf(orgId, provider, parts.model) }
    },

    /** Whether the organization has the provider of the model. Asks no provider, so that it costs no request. */
    offers: async (sql: Sql, orgId: string, id: string): Promise<boolean> => {
      const parts = splitModelId(id)
      if (!parts) return false
      if (parts.providerId === TEST_PROVIDER) return config.testModels && findTestModel(parts.model) !== null
      return (await registry.find(orgId, parts.providerId, sql)) !== null
    },

    /** The context window, the prices and the abilities of a model; null for an unknown provider. */
    describe: (orgId: string, id: string) =>
      describeBy(orgId, id, describeOf, (providerId) => registry.find(orgId, providerId)),

    /** Like `describe`, inside a transaction: with what is known about the model, without asking its provider. */
    describeKnown: (sql: Sql, orgId: string, id: string) =>
      describeBy(
        orgId,
        id,
        (_, provider, model) => describeKnownOf(sql, orgId, provider, model),
        (providerId) => registry.find(orgId, providerId, sql),
      ),

    list,

    choices: async (orgId: string): Promise<ModelChoices> => (await list(orgId)).models,

    /** The provider with its key, for requests other than model calls. Without an organization: that of the operator. */
    provider: async (orgId: string | null, id: string) =>
      orgId === null ? registry.findShared(id) : registry.find(orgId, id),

    /** Asks a provider for its models now. */
    check: (provider: ModelProvider) => catalog.check(provider),
  }
}

const unknown = (reason: string): FoundModel => ({ kind: 'unknown', reason })

const stateOf = ({ id, name, source }: ModelProvider, { problem, checkedAt }: Listing): ProviderState => ({
  id,
  name,
  source,
  availability: problem === null ? 'available' : 'unavailable',
  problem,
  checkedAt,
})
