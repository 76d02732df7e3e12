import type { Feature } from '../../feature.ts'
import type { Streams } from '../../streams/streams.ts'
import { createAttemptMetrics } from './deliver/attempt-metrics.ts'
import { startBacklogSweep } from './deliver/backlog.ts'
import { startDispatcher } from './deliver/dispatcher.ts'
import { releaseOrphanedDeliveries } from './deliver/leases.ts'
import { createEventStream } from './log/event-stream.ts'
import { webhookRoutes } from './routes.ts'

export { sweepEvents } from './retention.ts'

export function webhooks({ streams }: { streams: Streams }): Feature {
  const attempts = createAttemptMetrics()
  return {
    routes: webhookRoutes(createEventStream(streams)),
    async start(runtime) {
      const tasks = [await startDispatcher(runtime, attempts), startBacklogSweep(runtime)]
      return { stop: async () => void (await Promise.all(tasks.map((task) => task.stop()))) }
    },
    recover: releaseOrphanedDeliveries,
    metrics: attempts.register,
  }
}
