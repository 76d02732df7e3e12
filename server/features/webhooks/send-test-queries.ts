import type { Sql } from '../../database/database.ts'
import { notifyEvent } from '../../events/publish.ts'
import { countEventCte } from '../../metering/usage-queries.ts'

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

export async function insertTest(sql: Sql, orgId: string, test: TestEvent): Promise<void> {
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
