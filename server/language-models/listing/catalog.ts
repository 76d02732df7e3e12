import { detached } from '../../concurrency/work-scope.ts'
import type { ModelProvider } from '../provider.ts'
import { listAnthropic } from './anthropic.ts'
import { listGoogle } from './google.ts'
import { type ListedModel, ListingError, type ListingOptions, listedModel } from './listing.ts'
import { listOllama } from './ollama.ts'
import { listOpenAi } from './openai.ts'

/** A list serves this long before the next use refreshes it in the background. */
const FRESH_MS = 300_000
/** How long a failure is cached. */
const FAILED_FRESH_MS = 30_000
/** Uses wait this long after the first request for the list; a later answer serves the next use. */
const WAIT_MS = 2500
const REQUEST_TIMEOUT_MS = 15_000
/** An unused local port refuses immediately; one that a firewall drops would delay every list. */
const PROBE_TIMEOUT_MS = 1000
const ENTRIES_MAX = 1000

/** The list of the models of a provider, with their properties. */
export interface Listing {
  /** The last list that arrived, also after a later failure. */
  models: readonly ListedModel[]
  /** Why the provider is not available; null if it is. */
  problem: string | null
  checkedAt: Date | null
}

interface Entry extends Listing {
  /** A time of the monotonic clock. */
  staleAt: number
  refresh: Promise<void> | null
  /** Until when uses wait for the first list. */
  awaitedUntil: number
}

interface CatalogOptions {
  fetchFor: (provider: ModelProvider) => typeof globalThis.fetch
  now: () => Date
  waitMs?: number
  clock?: () => number
}

const UNKNOWN: Listing = { models: [], problem: 'The provider has not responded yet', checkedAt: null }

/** The lists of models of all providers, in memory. A provider that is slow or down never blocks the others for long. */
export function createCatalog({
  fetchFor,
  now,
  waitMs = WAIT_MS,
  clock = () => performance.now(),
}: CatalogOptions) {
  const entries = new Map<string, Entry>()

  function entryOf({ cacheKey }: ModelProvider): Entry {
    const existing = entries.get(cacheKey)
    // The most recently used is last, so that the first can be dropped.
    entries.delete(cacheKey)
    if (!existing && entries.size >= ENTRIES_MAX) entries.delete(entries.keys().next().value!)
    const entry = existing ?? {
      models: [],
      problem: null,
      checkedAt: null,
      staleAt: -Infinity,
      refresh: null,
      awaitedUntil: clock() + waitMs,
    }
    entries.set(cacheKey, entry)
    return entry
  }

  function refresh(provider: ModelProvider, entry: Entry): Promise<void> {
    entry.refresh ??= detached(() => load(provider)).then((loaded) => {
      Object.assign(entry, loaded, { checkedAt: now(), refresh: null })
      entry.staleAt = clock() + (entry.problem === null ? FRESH_MS : FAILED_FRESH_MS)
    })
    return entry.refresh
  }

  async function load(provider: ModelProvider): Promise<Partial<Entry>> {
    const timeoutMs = provider.kind === 'ollama' ? PROBE_TIMEOUT_MS : REQUEST_TIMEOUT_MS
    const options = { fetch: fetchFor(provider), signal: AbortSignal.timeout(timeoutMs) }
    try {
      return { models: await listModels(provider, options), problem: null }
    } catch (error) {
      return {
        problem: error instanceof ListingError ? error.message : 'The list of models could not be read',
      }
    }
  }

  return {
    /** Returns the cached list without waiting, and waits only if there is none. */
    async get(provider: ModelProvider): Promise<Listing> {
      const entry = entryOf(provider)
      if (clock() >= entry.staleAt) {
        const refreshed = refresh(provider, entry)
        const remainingMs = entry.awaitedUntil - clock()
        if (entry.checkedAt === null && remainingMs > 0) await within(refreshed, remainingMs)
      }
      if (entry.checkedAt !== null) return { ...entry }
      return UNKNOWN
    },
    /** Returns what is known, without asking the provider. */
    peek: (provider: ModelProvider): Listing => entries.get(provider.cacheKey) ?? UNKNOWN,
    /** Asks the provider now. */
    async check(provider: ModelProvider): Promise<Listing> {
      const entry = entryOf(provider)
      await entry.refresh
      await refresh(provider, entry)
      return { ...entry }
    },
  }
}

async function within(work: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs)
  })
  await Promise.race([work, timeout])
  clearTimeout(timer)
}

const MODELS_MAX = 2000

const LISTS: Record<
  ModelProvider['kind'],
  (provider: ModelProvider, options: ListingOptions) => Promise<ListedModel[]>
> = {
  openai: listOpenAi,
  'openai-compatible': listOpenAi,
  anthropic: listAnthropic,
  google: listGoogle,
  ollama: listOllama,
}

/** The models of a provider: those that it lists, or those that its settings name, with the properties that it lists. */
export async function listModels(provider: ModelProvider, options: ListingOptions): Promise<ListedModel[]> {
  if (provider.models.length === 0) return (await list(provider, options)).slice(0, MODELS_MAX)
  const listed = await list(provider, options).catch(emptyIfAbsent)
  return provider.models.map((id) => listed.find((model) => model.id === id) ?? listedModel(id))
}

const list = (provider: ModelProvider, options: ListingOptions) => LISTS[provider.kind](provider, options)

/** A server without a list of models, such as some gateways, still works. */
function emptyIfAbsent(error: unknown): ListedModel[] {
  if (error instanceof ListingError && (error.status === 404 || error.status === 405)) return []
  throw error
}
