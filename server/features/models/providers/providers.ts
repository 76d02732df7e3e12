import { modelProviders } from '../../../../contract/models/model-providers.ts'
import { modelSettings } from '../../../../contract/models/model-settings.ts'
import { models as contract } from '../../../../contract/models/models.ts'
import type { Pool } from '../../../database/database.ts'
import { forOrganization } from '../../../database/fair-pool.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import type { Models } from '../../../language-models/models.ts'
import type { LoadProviders } from '../../../language-models/registry.ts'
import type { Vault } from '../../../security/vault.ts'
import { listModels } from './list.ts'
import {
  checkProvider,
  createProvider,
  deleteProvider,
  findLocal,
  getProvider,
  listProviders,
  tryOutProvider,
  updateProvider,
} from './manage.ts'
import * as queries from './queries.ts'
import { openProvider } from './records.ts'
import { checkModels, listSettings, putSettings } from './settings.ts'

export { loadModelSettings } from './settings.ts'

/** Model providers with their keys, and each model's settings. */
export const models = (engine: Models): Feature => ({
  routes: [
    handle(contract.list, listModels(engine)),
    handle(modelProviders.list, listProviders),
    handle(modelProviders.create, createProvider),
    handle(modelProviders.get, getProvider),
    handle(modelProviders.update, updateProvider),
    handle(modelProviders.remove, deleteProvider),
    handle(modelProviders.test, checkProvider(engine)),
    handle(modelProviders.tryOut, tryOutProvider(engine)),
    handle(modelProviders.local, findLocal(engine)),
    handle(modelSettings.list, listSettings),
    handle(modelSettings.put, putSettings, checkModels(engine)),
  ],
})

export const loadProviders =
  (pool: Pool, vault: Vault): LoadProviders =>
  async (orgId, sql = forOrganization(pool, orgId)) => {
    const rows = await queries.listProviders(sql, orgId)
    return rows.map((row) => openProvider(row, vault))
  }
