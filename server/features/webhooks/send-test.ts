import type { InputOf } from '../../../contract/endpoint.ts'
import { EVENT_TYPES } from '../../../contract/webhooks/event-types.ts'
import type { webhooks } from '../../../contract/webhooks/webhooks.ts'
import type { Context } from '../../context.ts'
import { badField, conflict } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { PLATFORM_SOURCE } from './allowlist.ts'
import { exampleOf } from './examples.ts'
import { findWebhook } from './manage.ts'
import { insertTest } from './send-test-queries.ts'

/** Sends a sample event, ignoring the event filter, also while the webhook is paused. */
export async function sendTest(ctx: Context, input: InputOf<typeof webhooks.test>) {
  const { id, url, source, status } = await findWebhook(ctx, input.webhookId)
  const type = input.eventType ?? 'webhook.test'
  if (source === PLATFORM_SOURCE && !(type in EVENT_TYPES))
    throw badField('body.eventType', 'is not an event type')
  if (status === 'disabled') throw conflict('This webhook is disabled: enable it first')
  const event = {
    id: newId(),
    webhookId: id,
    type,
    source: 'atrium',
    payload: { ...exampleOf(type), test: true },
    url,
    deliveryId: url === null ? null : newId(),
    now: ctx.now(),
  }
  await insertTest(ctx.sql, ctx.caller.orgId, event)
  return { eventId: event.id, deliveryId: event.deliveryId }
}
