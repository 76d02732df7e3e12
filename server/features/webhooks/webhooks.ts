import type { Feature } from '../../feature.ts'
import type { Streams } from '../../streams/streams.ts'
import { startDispatcher } from './deliver/dispatcher.ts'
import { releaseOrphanedDeliveries } from './deliver/leases.ts'
import { createEventStream } from './log/event-stream.ts'
import { webhookRoutes } from './routes.ts'

export { sweepEvents } from './retention.ts'

export function webhooks({ streams }: { streams: Streams }): Feature {
  return {
    routes: webhookRoutes(createEventStream(streams)),
    start: startDispatcher,
    recover: releaseOrphanedDeliveries,
  }
}
