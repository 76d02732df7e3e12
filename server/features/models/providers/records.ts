import type { z } from 'zod'
import type { ModelProvider as ModelProviderOutput } from '../../../../contract/models/model-providers.ts'
import type { ModelProvider } from '../../../language-models/provider.ts'
import type { Vault } from '../../../security/vault.ts'
import { openKey } from './provider-keys.ts'
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
