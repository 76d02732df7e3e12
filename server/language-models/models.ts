import { clientSignal, refuseInTransaction } from '../concurrency/work-scope.ts'
import type { ModelsConfig } from '../config/models.ts'
import type { Sql } from '../database/database.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { type AudioPricing, audioPricing } from './audio/audio-pricing.ts'
import { synthesize } from './audio/synthesize.ts'
import { type Recording, transcribe } from './audio/transcribe.ts'
import { describeById, describeListing, type ModelInfo } from './describe-model.ts'
import { type EmbedOutcome, embed, hasEmbeddings } from './embeddings/embed.ts'
import { embeddingPricing } from './embeddings/embedding-pricing.ts'
import type { TextKind } from './embeddings/prefixes.ts'
import { loadStaticModel, type StaticModel } from './embeddings/static/static-model.ts'
import { createModelCache, type LanguageModel } from './language-model.ts'
import { createCatalog, type Listing } from './listing/catalog.ts'
import { findLocalServers } from './local-servers.ts'
import { loadPriceTable, type ModelSetting, type Pricing } from './prices.ts'
import { type ModelProvider, splitModelId } from './provider.ts'
import { createRegistry, type LoadProviders } from './registry.ts'
import {
  describeTestModel,
  findTestModel,
  SAMPLE_MODEL,
  TEST_MODELS,
  TEST_PROVIDER,
} from './test-models/test-models.ts'
import { trustedFetch, withTraceHeaders } from './trusted-fetch.ts'
import { tryProvider } from './try-provider.ts'

export type LoadModelSettings = (orgId: string, sql?: Sql) => Promise<ReadonlyMap<string, ModelSetting>>

interface ModelsOptions {
  config: ModelsConfig
  loadProviders: LoadProviders
  loadSettings?: LoadModelSettings
  outbound: Pick<Outbound, 'fetch'>
  now: () => Date
  waitMs?: number
  patienceMs?: number
}

interface ProviderState {
  id: string
  name: string
  source: ModelProvider['source']
  availability: 'available' | 'unavailable'
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
      describe: () => Promise<ModelInfo | null>
    }
  /** No such provider or test model. The reason is for members. */
  | { kind: 'unknown'; reason: string }

/**
 * Candidates for agents without a model. Listing asks providers, so read them before the transaction that starts a run.
 */
export type ModelChoices = readonly ModelInfo[]

/** A model that transcribes or speaks. */
export type AudioModel = Awaited<ReturnType<Models['audio']>>

/** A model that turns texts into vectors. */
export interface Embedder {
  id: string
  /** Runs in this process: costs nothing and asks no other server. */
  isStatic: boolean
  /** Null if the price is unknown. */
  pricing: () => Promise<Pricing | null>
  embed: (texts: readonly string[], kind: TextKind, options: EmbedOptions) => Promise<EmbedOutcome>
}

interface EmbedOptions {
  timeoutMs: number
  signal?: AbortSignal | undefined
}

export type Models = ReturnType<typeof createModels>

/** A provider that sends nothing for so long has failed, where a run or a member waits for more than an answer. */
const PATIENCE_MS = 30_000

/** Others have no audio. */
const KINDS_WITH_AUDIO: readonly ModelProvider['kind'][] = ['openai', 'openai-compatible']

/** The operator's providers, the organization's own, Ollama and test models. */
export function createModels({
  config,
  loadProviders,
  loadSettings = async () => new Map(),
  outbound,
  now,
  waitMs,
  patienceMs = PATIENCE_MS,
}: ModelsOptions) {
  const registry = createRegistry(config, loadProviders)
  // Organization URLs are untrusted and must not reach this server's network.
  const fetchFor = ({ source, isLocalServer }: ModelProvider) =>
    source === 'organization' && !isLocalServer ? outbound.fetch : trustedFetch
  const modelOf = createModelCache((provider) => withTraceHeaders(fetchFor(provider)))
  const catalog = createCatalog({ fetchFor, now, ...(waitMs !== undefined && { waitMs }) })
  let priceTable: ReturnType<typeof loadPriceTable> | undefined
  let staticModel: Promise<StaticModel> | undefined

  /** Null without ATRIUM_EMBEDDINGS. Throws if its files can't be read. */
  async function loadOwnModel(): Promise<StaticModel | null> {
    if (config.embeddingsFolder === null) return null
    staticModel ??= loadStaticModel(config.embeddingsFolder)
    return staticModel
  }

  const hasTestModel = (model: string) =>
    model === SAMPLE_MODEL || (config.testModels && findTestModel(model) !== null)

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
      return hasTestModel(parts.model) ? describeTestModel(parts.model, config.prices) : null
    const provider = await findProvider(parts.providerId)
    return provider && describe(orgId, provider, parts.model)
  }

  /** Shows Ollama if it runs or the operator set its URL. */
  const isShown = ({ provider, listing }: { provider: ModelProvider; listing: Listing }) =>
    provider !== registry.ollama || config.ollama?.isExplicit || listing.problem === null

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
    async find(orgId: string, id: string): Promise<FoundModel> {
      const parts = splitModelId(id)
      if (!parts) return unknown(`${id} is not a model id such as openai/gpt-5`)
      if (parts.providerId === TEST_PROVIDER) {
        const model = hasTestModel(parts.model) ? findTestModel(parts.model) : null
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

    /** Sends no request to the provider. */
    offers: async (sql: Sql, orgId: string, id: string): Promise<boolean> => {
      const parts = splitModelId(id)
      if (!parts) return false
      if (parts.providerId === TEST_PROVIDER) return hasTestModel(parts.model)
      return (await registry.find(orgId, parts.providerId, sql)) !== null
    },

    describe: (orgId: string, id: string) =>
      describeBy(orgId, id, describeOf, (providerId) => registry.find(orgId, providerId)),

    /** For transactions: doesn't ask the provider. */
    describeKnown: (sql: Sql, orgId: string, id: string) =>
      describeBy(
        orgId,
        id,
        (_, provider, model) => describeKnownOf(sql, orgId, provider, model),
        (providerId) => registry.find(orgId, providerId, sql),
      ),

    list,

    choices: async (orgId: string): Promise<ModelChoices> => (await list(orgId)).models,

    /** For requests other than model calls. Null organization: the operator's. */
    provider: async (orgId: string | null, id: string) =>
      orgId === null ? registry.findShared(id) : registry.find(orgId, id),

    /** The first whose API the usual voice models belong to. */
    usualAudioProvider: async (orgId: string): Promise<string | null> =>
      (await registry.providersOf(orgId)).find(({ kind }) => kind === 'openai')?.id ?? null,

    /** Null if the organization has no such provider, or its API has no audio. */
    audio: async (orgId: string, id: string, sql?: Sql) => {
      const parts = splitModelId(id)
      const provider = parts && (await registry.find(orgId, parts.providerId, sql))
      if (!provider || !KINDS_WITH_AUDIO.includes(provider.kind)) return null
      const call = (signal: AbortSignal | undefined) => ({
        ...{ provider, model: parts.model, signal, patienceMs },
        fetch: withTraceHeaders(fetchFor(provider)),
      })
      return {
        id,
        pricing: async (): Promise<AudioPricing | null> =>
          audioPricing(provider, parts.model, await loadPriceSources(orgId)),
        transcribe: (recording: Recording, language: string | undefined, signal?: AbortSignal) =>
          transcribe(call(signal), recording, language),
        synthesize: (pieces: readonly string[], voiceName: string, signal?: AbortSignal) =>
          synthesize({ ...call(signal), voiceName }, pieces),
      }
    },

    /** The server's own, for organizations without another. */
    staticEmbedder: async (): Promise<Embedder | null> => {
      const own = await loadOwnModel()
      return own && toStaticEmbedder(own)
    },

    /** Null if the organization has no such provider, or its API has no embeddings. */
    embedder: async (orgId: string, id: string, sql?: Sql): Promise<Embedder | null> => {
      const own = id.startsWith('static/') ? await loadOwnModel() : null
      if (own?.id === id) return toStaticEmbedder(own)
      const parts = splitModelId(id)
      const provider = parts && (await registry.find(orgId, parts.providerId, sql))
      if (!provider || !hasEmbeddings(provider)) return null
      const { model } = parts
      return {
        id,
        isStatic: false,
        pricing: async () => embeddingPricing(provider, model, await loadPriceSources(orgId)),
        embed: (texts, kind, { timeoutMs, signal }) =>
          embed(
            { provider, model, signal, fetch: withTraceHeaders(fetchFor(provider)) },
            { texts, kind, timeoutMs },
          ),
      }
    },

    check: (provider: ModelProvider) => catalog.check(provider),

    /** For settings that aren't stored yet. Ends when the client leaves: nobody else needs the paid answer. */
    tryOut: async (orgId: string, provider: ModelProvider, model?: string) => {
      const signal = clientSignal()
      const fetch = fetchFor(provider)
      const [sources, trial] = await Promise.all([
        loadPriceSources(orgId),
        tryProvider(provider, { model, fetch, signal }),
      ])
      const listing = { models: trial.models, problem: null, checkedAt: null }
      return { ...trial, models: describeListing(provider, listing, sources) }
    },

    /** Empty if the operator switched off looking for Ollama and nothing else runs. */
    findLocalServers: () => findLocalServers({ skipsOllama: config.ollama === null }),

    /** Besides test models. Sends no request: an Ollama that nobody configured counts once it has responded. */
    hasProvider: async (orgId: string): Promise<boolean> =>
      (await registry.providersOf(orgId)).some((provider) =>
        isShown({ provider, listing: catalog.peek(provider) }),
      ),

    /** For images' descriptions. */
    patienceMs,

    isOllamaShared: () => registry.ollama !== null,
  }
}

const toStaticEmbedder = ({ id, embed }: StaticModel): Embedder => ({
  id,
  isStatic: true,
  pricing: async () => null,
  embed: async (texts) => ({ kind: 'done', value: await embed(texts) }),
})

const unknown = (reason: string): FoundModel => ({ kind: 'unknown', reason })

const stateOf = ({ id, name, source }: ModelProvider, { problem, checkedAt }: Listing): ProviderState => ({
  id,
  name,
  source,
  availability: problem === null ? 'available' : 'unavailable',
  problem,
  checkedAt,
})
