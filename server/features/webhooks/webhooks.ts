import type { Logger } from 'pino'
import type { Pool } from '../../database/database.ts'
import type { Feature } from '../../feature.ts'
import { startDispatcher } from './deliver/dispatcher.ts'
import { freeAllDeliveries } from './deliver/leases.ts'
import { createTail } from './log/event-stream.ts'
import { webhookRoutes } from './routes.ts'

export { sweepEvents } from './retention.ts'

export function webhooks({ pool, log }: { pool: Pool; log: Logger }): Feature {
  const tail = createTail(pool, log)
  return { routes: webhookRoutes(tail), start: startDispatcher, recover: freeAllDeliveries, streams: tail }
}
