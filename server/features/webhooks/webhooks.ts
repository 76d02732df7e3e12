import { webhooks as endpoints } from '../../../contract/webhooks/webhooks.ts'
import { handle } from '../../endpoint/route.ts'
import type { Feature } from '../../feature.ts'
import type { Streams } from '../../streams/streams.ts'
import { startBacklogSweep } from './deliver/backlog.ts'
import { releaseOrphanedDeliveries } from './deliver/claim.ts'
import { createAttemptMetrics, startDispatcher } from './deliver/dispatcher.ts'
import { replayEvents, retryEvent, retryFailed } from './deliver/retry.ts'
import { listEventTypes } from './examples.ts'
import { exportEvents } from './log/export.ts'
import { createEventStream, followEvents, listen } from './log/follow.ts'
import { listOrganizationEvents, listWebhookDeliveries, listWebhookEvents, readEvent } from './log/log.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  updateWebhook,
} from './manage.ts'
import { receive } from './receive/receive.ts'
import { receiveLinear } from './receive/receive-linear.ts'
import { createWebhookReceivers } from './receive/receivers.ts'
import { sendTest } from './send-test.ts'
import { verifyPayload } from './verify-payload.ts'

export { sweepEvents } from './retention.ts'

/** Receives other systems' webhooks, keeps the event log and delivers events. */
export function webhooks({ streams }: { streams: Streams }): Feature {
  const attempts = createAttemptMetrics()
  const stream = createEventStream(streams)
  const receivers = createWebhookReceivers()
  return {
    routes: [
      handle(endpoints.list, listWebhooks),
      handle(endpoints.create, createWebhook),
      handle(endpoints.eventTypes, listEventTypes),
      handle(endpoints.events, listOrganizationEvents),
      handle(endpoints.event, readEvent),
      handle(endpoints.tail, (ctx, input) => followEvents(stream, ctx, input)),
      handle(endpoints.test, sendTest),
      handle(endpoints.verify, verifyPayload),
      handle(endpoints.retryEvent, retryEvent),
      handle(endpoints.exportEvents, exportEvents),
      handle(endpoints.replay, replayEvents),
      handle(endpoints.get, getWebhook),
      handle(endpoints.update, updateWebhook),
      handle(endpoints.remove, deleteWebhook),
      handle(endpoints.rotate, rotateSecret),
      handle(endpoints.retryFailed, retryFailed),
      handle(endpoints.eventsOf, listWebhookEvents),
      handle(endpoints.deliveries, listWebhookDeliveries),
      handle(endpoints.listen, (ctx, input) => listen(stream, ctx, input)),
      handle(endpoints.receive, receive(receivers)),
      handle(endpoints.receiveLinear, receiveLinear(receivers)),
    ],
    async start(runtime) {
      const tasks = [await startDispatcher(runtime, attempts), await startBacklogSweep(runtime)]
      return { stop: async () => void (await Promise.all(tasks.map((task) => task.stop()))) }
    },
    recover: releaseOrphanedDeliveries,
    metrics: attempts.register,
  }
}
