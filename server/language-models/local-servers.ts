import { LOCAL_SERVERS } from '../../contract/models/providers.ts'
import { fetchJson } from './listing/listing.ts'
import { listedNames } from './listing/openai.ts'
import { trustedFetch } from './trusted-fetch.ts'

const PROBE_TIMEOUT_MS = 1000
const PROBE_BYTES_MAX = 262_144
const MODELS_MAX = 100

export interface LocalServer {
  id: string
  name: string
  url: string
  models: string[]
}

/**
 * Asks exactly the addresses in `LOCAL_SERVERS` for their models. Redirects aren't followed, and anything but a model
 * list, such as another program on port 8080, is ignored.
 */
export async function findLocalServers({
  skipsOllama,
  fetch = trustedFetch,
}: {
  skipsOllama: boolean
  fetch?: typeof globalThis.fetch
}): Promise<LocalServer[]> {
  const probes = LOCAL_SERVERS.filter(({ id }) => id !== 'ollama' || !skipsOllama).map(async (server) => {
    const options = { fetch, signal: AbortSignal.timeout(PROBE_TIMEOUT_MS), bytesMax: PROBE_BYTES_MAX }
    const models = await fetchJson({ url: `${server.url}/models` }, options).then(listedNames, () => null)
    return models ? [{ ...server, models: models.slice(0, MODELS_MAX) }] : []
  })
  return (await Promise.all(probes)).flat()
}

export const isLocalServerUrl = (url: string): boolean => LOCAL_SERVERS.some((server) => server.url === url)
