import type { ConfiguredProvider, ModelsConfig } from '../config/models.ts'
import type { Sql } from '../database/database.ts'
import type { ModelProvider } from './provider.ts'

/** With keys. Pass `sql` inside a transaction. */
export type LoadProviders = (orgId: string, sql?: Sql) => Promise<ModelProvider[]>

interface Registry {
  /** The organization's own first. */
  providersOf: (orgId: string) => Promise<ModelProvider[]>
  find: (orgId: string, providerId: string, sql?: Sql) => Promise<ModelProvider | null>
  findShared: (providerId: string) => ModelProvider | null
  /** Null if the operator switched it off. */
  ollama: ModelProvider | null
}

/** An organization's provider replaces the operator's with the same id. */
export function createRegistry(config: ModelsConfig, loadProviders: LoadProviders): Registry {
  const configured = config.providers.map(configuredProvider)
  const ollama = config.ollama && ollamaProvider(config.ollama.url)
  const sharedProviders = ollama ? [...configured, ollama] : configured
  const providersOf = async (orgId: string, sql?: Sql) => {
    const ownProviders = await loadProviders(orgId, sql)
    const isReplaced = ({ id }: ModelProvider) => ownProviders.some((provider) => provider.id === id)
    return [...ownProviders, ...sharedProviders.filter((provider) => !isReplaced(provider))]
  }
  return {
    providersOf,
    find: async (orgId, providerId, sql) =>
      (await providersOf(orgId, sql)).find(({ id }) => id === providerId) ?? null,
    findShared: (providerId) => sharedProviders.find(({ id }) => id === providerId) ?? null,
    ollama,
  }
}

export const configuredProvider = ({
  id,
  kind,
  name,
  url,
  apiKey,
  models,
}: ConfiguredProvider): ModelProvider => ({
  id,
  kind,
  name,
  url,
  apiKey,
  models,
  source: 'environment',
  cacheKey: `environment ${id}`,
})

const ollamaProvider = (url: string): ModelProvider => ({
  id: 'ollama',
  kind: 'ollama',
  name: 'Ollama',
  url,
  apiKey: null,
  models: [],
  source: 'local',
  cacheKey: 'local ollama',
})
