import { webSearch as endpoints } from '../../../../contract/knowledge/web-search.ts'
import type { WebSearchConfig } from '../../../config/web-search.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import type { Models } from '../../../language-models/models.ts'
import { getProvider, getSettings, putSettings, removeSettings, testProvider } from './settings.ts'

export { createOpenSearch, type OpenedSearch, type OpenSearch, type Searched } from './open-search.ts'

/** Where agents search the web: each organization's provider with its key, else the operator's. */
export const webSearch = (server: WebSearchConfig, models: Pick<Models, 'find' | 'list'>): Feature => ({
  routes: [
    handle(endpoints.get, getProvider(server)),
    handle(endpoints.settings, getSettings(server)),
    handle(endpoints.put, putSettings(server)),
    handle(endpoints.remove, removeSettings),
    handle(endpoints.test, testProvider(server, models)),
  ],
})
