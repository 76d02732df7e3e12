import type { InputOf } from '../../../contract/endpoint.ts'
import { EVENT_TYPES } from '../../../contract/webhooks/event-types.ts'
import type { webhooks } from '../../../contract/webhooks/webhooks.ts'
import type { Context } from '../../context.ts'
import type { Sql } from '../../database/database.ts'
import { badField, conflict } from '../../errors.ts'
import { notifyEvent } from '../../events/publish.ts'
import { countEventCte } from '../../metering/usage-queries.ts'
import { newId } from '../../security/ids.ts'
import { eventExample } from './examples.ts'
import { findWebhook } from './manage.ts'
import { PLATFORM_SOURCE } from './settings.ts'

/** Ignores the event filter and works while paused. */
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
    payload: { ...eventExample(type), test: true },
    url,
    deliveryId: url === null ? null : newId(),
    now: ctx.now(),
  }
  await insertTest(ctx.sql, ctx.caller.orgId, event)
  return { eventId: event.id, deliveryId: event.deliveryId }
}

interface TestEvent {
  id: string
  webhookId: string
  type: string
  source: string
  payload: Record<string, unknown>
  url: string | null
  deliveryId: string | null
  now: Date
}

async function insertTest(sql: Sql, orgId: string, test: TestEvent): Promise<void> {
  const { id, webhookId, type, source, payload, url, deliveryId, now } = test
  await sql`
    with event as (
      insert into events (org_id, id, webhook_id, direction, type, source, status, payload, received_at)
      values (${orgId}, ${id}, ${webhookId}, 'internal', ${type}, ${source}, 'received', ${sql.json(payload as never)}, ${now})
      returning org_id, id
    ), ${countEventCte(sql)}, delivery as (
      insert into deliveries (org_id, id, event_id, event_type, event_direction, webhook_id, url, status, next_attempt_at, trigger, created_at)
      select ${orgId}, ${deliveryId}, event.id, ${type}, 'internal', ${webhookId}, ${url}, 'pending', ${now}, 'test', ${now}
      from event where ${deliveryId}::uuid is not null
    )
    select from event`
  notifyEvent(sql, orgId, { hasDeliveries: deliveryId !== null })
}
