import type { z } from 'zod'
import type { ModelProvider as ModelProviderOutput } from '../../../../contract/models/model-providers.ts'
import type { ModelProvider } from '../../../language-models/provider.ts'
import type { Vault } from '../../../security/vault.ts'
import type { ProviderRow } from './queries.ts'

/** Without the key. */
export const present = (row: ProviderRow): z.output<typeof ModelProviderOutput> => ({
  id: row.id,
  slug: row.slug,
  kind: row.kind,
  name: row.name,
  url: row.url,
  hasKey: row.keySealed !== null,
  lastFour: row.lastFour,
  models: row.models,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

/** With the key, for the model engine. */
export const providerOf = (row: ProviderRow, vault: Vault): ModelProvider => ({
  id: row.slug,
  kind: row.kind,
  name: row.name,
  url: row.url,
  apiKey: row.keySealed === null ? null : openKey(vault, row.id, row.keySealed),
  models: row.models,
  source: 'organization',
  cacheKey: `organization ${row.id} ${row.version}`,
})

/** Four characters would be a large part of a shorter key. */
const SHOWN_FROM_LENGTH = 16

/** A key as it is stored: encrypted for its row, with the four characters that may be shown. */
export const sealKey = (vault: Vault, providerId: string, key: string | null | undefined) => ({
  keySealed: key ? vault.seal(locationOf(providerId), key) : null,
  lastFour: key && key.length >= SHOWN_FROM_LENGTH ? key.slice(-4) : null,
})

/** Null if it was sealed with another secret of this server: the provider is then called without a key, and responds with an error. */
const openKey = (vault: Vault, providerId: string, sealed: string): string | null =>
  vault.tryOpen(locationOf(providerId), sealed)

const locationOf = (providerId: string) => `model_providers.key:${providerId}`
