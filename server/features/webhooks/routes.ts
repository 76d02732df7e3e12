import { webhooks } from '../../../contract/webhooks.ts'
import { createWake } from '../../events/wake.ts'
import { handle } from '../../route.ts'
import { checkPayload } from './check.ts'
import { listEventTypes } from './examples.ts'
import { followEvents, listen } from './follow.ts'
import { listOrganizationEvents, listWebhookDeliveries, listWebhookEvents, readEvent } from './log.ts'
import { receive } from './receive.ts'
import { receiveLinear } from './receive-linear.ts'
import { createReceivers } from './receivers.ts'
import { retryEvent, retryFailed } from './retry.ts'
import type { Tail } from './tail.ts'
import { sendTest } from './test-event.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  updateWebhook,
} from './webhooks.ts'

export function webhookRoutes(tail: Tail) {
  const receivers = createReceivers()
  const wake = createWake()
  return [
    handle(webhooks.list, listWebhooks),
    handle(webhooks.create, createWebhook),
    handle(webhooks.eventTypes, listEventTypes),
    handle(webhooks.events, listOrganizationEvents),
    handle(webhooks.event, readEvent),
    handle(webhooks.tail, (ctx, input) => followEvents(tail, ctx, input)),
    handle(webhooks.test, sendTest),
    handle(webhooks.verify, checkPayload),
    handle(webhooks.retryEvent, retryEvent),
    handle(webhooks.get, getWebhook),
    handle(webhooks.update, updateWebhook),
    handle(webhooks.remove, deleteWebhook),
    handle(webhooks.rotate, rotateSecret),
    handle(webhooks.retryFailed, retryFailed),
    handle(webhooks.eventsOf, listWebhookEvents),
    handle(webhooks.deliveries, listWebhookDeliveries),
    handle(webhooks.listen, (ctx, input) => listen(tail, ctx, input)),
    handle(webhooks.receive, receive(receivers, wake)),
    handle(webhooks.receiveLinear, receiveLinear(receivers, wake)),
  ]
}
