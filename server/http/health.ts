import type { FastifyInstance } from 'fastify'

/** Whether a part of the installation works; false and an error are the same. */
type PartCheck = () => Promise<boolean>

export interface Parts {
  database: PartCheck
  objectStorage: PartCheck
}

/** A probe is sent every few seconds and has a time limit of its own, which is rarely below this. */
const CHECK_MS_MAX = 3000

/**
 * `/healthz`: the process responds. `/readyz`: which parts of the installation work. Without object storage the server
 * is degraded but still ready: a load balancer that removed it would end everything that needs no file contents.
 */
export function serveHealth(http: FastifyInstance, parts: Parts): void {
  http.get('/healthz', async () => ({ status: 'alive' }))
  http.get('/readyz', async (_request, reply) => {
    const [database, objectStorage] = await Promise.all([
      stateOf(parts.database),
      stateOf(parts.objectStorage),
    ])
    const status =
      database === 'unavailable' ? 'not ready' : objectStorage === 'unavailable' ? 'degraded' : 'ready'
    return reply
      .status(database === 'ready' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status, parts: { database, objectStorage } })
  })
}

async function stateOf(check: PartCheck): Promise<'ready' | 'unavailable'> {
  const { promise: timeout, resolve } = Promise.withResolvers<'unavailable'>()
  const timer = setTimeout(resolve, CHECK_MS_MAX, 'unavailable')
  const result = check().then(
    (works) => (works ? ('ready' as const) : ('unavailable' as const)),
    () => 'unavailable' as const,
  )
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer))
}
