import type { FastifyInstance } from 'fastify'

/** `/healthz`: the process responds. `/readyz`: the database is reachable and migrated. */
export function serveHealth(http: FastifyInstance, isReady: () => Promise<boolean>): void {
  http.get('/healthz', async () => ({ status: 'alive' }))
  http.get('/readyz', async (_request, reply) => {
    const ready = await isReady().catch(() => false)
    return reply.status(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' })
  })
}
