import { detached } from '../../concurrency/work-scope.ts'
import { hideKey } from '../hide-key.ts'
import type { ModelProvider } from '../provider.ts'
import { listAnthropic } from './anthropic.ts'
import { listGoogle } from './google.ts'
import { type ListedModel, ListingError, type ListingOptions, listedModel } from './listing.ts'
import { listOllama } from './ollama.ts'
import { listOpenAi } from './openai.ts'

/** Older lists are refreshed in the background on next use. */
const FRESH_MS = 300_000
const FAILED_FRESH_MS = 30_000
/** For the first list. A later response serves the next use. */
const WAIT_MS = 2500
const REQUEST_TIMEOUT_MS = 15_000
/** A firewalled port would delay every list. */
const PROBE_TIMEOUT_MS = 1000
const ENTRIES_MAX = 1000

export interface Listing {
  /** The last list received, even if a later request failed. */
  models: readonly ListedModel[]
  problem: string | null
  checkedAt: Date | null
}

interface Entry extends Listing {
  /** Monotonic clock. */
  staleAt: number
  refresh: Promise<void> | null
  awaitedUntil: number
}

interface CatalogOptions {
  fetchFor: (provider: ModelProvider) => typeof globalThis.fetch
  now: () => Date
  waitMs?: number
  clock?: () => number
}

const UNKNOWN: Listing = { models: [], problem: 'The provider has not responded yet', checkedAt: null }

/** A slow or failing provider never blocks the others for long. */
export function createCatalog({
  fetchFor,
  now,
  waitMs = WAIT_MS,
  clock = () => performance.now(),
}: CatalogOptions) {
  const entries = new Map<string, Entry>()

  function entryOf({ cacheKey }: ModelProvider): Entry {
    const existing = entries.get(cacheKey)
    // Most recently used last.
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
        problem: error instanceof ListingError ? error.message : 'The model list could not be read',
      }
    }
  }

  return {
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
    peek: (provider: ModelProvider): Listing => entries.get(provider.cacheKey) ?? UNKNOWN,
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

/** The settings' models, if any, otherwise all it lists. */
export async function listModels(provider: ModelProvider, options: ListingOptions): Promise<ListedModel[]> {
  if (provider.models.length === 0) return (await list(provider, options)).slice(0, MODELS_MAX)
  const listed = await list(provider, options).catch(emptyIfAbsent)
  return provider.models.map((id) => listed.find((model) => model.id === id) ?? listedModel(id))
}

const list = (provider: ModelProvider, options: ListingOptions) =>
  LISTS[provider.kind](provider, { ...options, fetch: hideKey(options.fetch, provider.apiKey) })

/** Some gateways have no model list but still work. */
function emptyIfAbsent(error: unknown): ListedModel[] {
  if (error instanceof ListingError && (error.status === 404 || error.status === 405)) return []
  throw error
}
