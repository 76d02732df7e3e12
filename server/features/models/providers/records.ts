import type { z } from 'zod'
import type { ModelProvider as ModelProviderOutput } from '../../../../contract/models/model-providers.ts'
import { isLocalServerUrl } from '../../../language-models/local-servers.ts'
import type { ModelProvider } from '../../../language-models/provider.ts'
import type { Vault } from '../../../security/vault.ts'
import type { ProviderRow } from './queries.ts'

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

export function openProvider(row: ProviderRow, vault: Vault): ModelProvider {
  const isLocalServer = row.isByOperator && isLocalServerUrl(row.url)
  return {
    id: row.slug,
    kind: row.kind,
    name: row.name,
    url: row.url,
    apiKey: row.keySealed === null ? null : openKey(vault, row.id, row.keySealed),
    models: row.models,
    source: 'organization',
    cacheKey: `organization ${row.id} ${row.version}${isLocalServer ? ' local' : ''}`,
    isLocalServer,
  }
}

/** Four characters would be a large part of a shorter key. */
const SHOWN_FROM_LENGTH = 16

export const sealKey = (vault: Vault, providerId: string, key: string | null | undefined) => ({
  keySealed: key ? vault.seal(locationOf(providerId), key) : null,
  lastFour: key && key.length >= SHOWN_FROM_LENGTH ? key.slice(-4) : null,
})

/** Null if sealed with a different server secret. The provider then gets no key and responds with an error. */
const openKey = (vault: Vault, providerId: string, sealed: string): string | null =>
  vault.tryOpen(locationOf(providerId), sealed)

const locationOf = (providerId: string) => `model_providers.key:${providerId}`
