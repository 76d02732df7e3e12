import { webhooks } from '../../../contract/webhooks/webhooks.ts'
import { handle } from '../../endpoint/route.ts'
import { replayEvents } from './deliver/replay.ts'
import { retryEvent, retryFailed } from './deliver/retry.ts'
import { listEventTypes } from './examples.ts'
import type { EventStream } from './log/event-stream.ts'
import { exportEvents } from './log/export.ts'
import { followEvents, listen } from './log/follow.ts'
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

export function webhookRoutes(stream: EventStream) {
  const receivers = createWebhookReceivers()
  return [
    handle(webhooks.list, listWebhooks),
    handle(webhooks.create, createWebhook),
    handle(webhooks.eventTypes, listEventTypes),
    handle(webhooks.events, listOrganizationEvents),
    handle(webhooks.event, readEvent),
    handle(webhooks.tail, (ctx, input) => followEvents(stream, ctx, input)),
    handle(webhooks.test, sendTest),
    handle(webhooks.verify, verifyPayload),
    handle(webhooks.retryEvent, retryEvent),
    handle(webhooks.exportEvents, exportEvents),
    handle(webhooks.replay, replayEvents),
    handle(webhooks.get, getWebhook),
    handle(webhooks.update, updateWebhook),
    handle(webhooks.remove, deleteWebhook),
    handle(webhooks.rotate, rotateSecret),
    handle(webhooks.retryFailed, retryFailed),
    handle(webhooks.eventsOf, listWebhookEvents),
    handle(webhooks.deliveries, listWebhookDeliveries),
    handle(webhooks.listen, (ctx, input) => listen(stream, ctx, input)),
    handle(webhooks.receive, receive(receivers)),
    handle(webhooks.receiveLinear, receiveLinear(receivers)),
  ]
}
