import type { z } from 'zod'
import type { WebhookEvent } from '../../../contract/webhooks/webhook-records.ts'
import type { Fragment, Sql } from '../../database/database.ts'

export interface EventRow extends z.output<typeof WebhookEvent> {
  /** As received. Null for Atrium events. */
  body: Uint8Array | null
}

export const columns = (sql: Sql) => sql`
  e.id, e.webhook_id as "webhookId", w.name as "webhookName", e.direction, e.type, e.source,
  e.external_id as "externalId", e.status, e.verification, e.payload, e.body, e.headers, e.received_at as "receivedAt"`

export const deliveredEvent = (sql: Sql): Fragment => sql`
  jsonb_build_object('id', e.id, 'type', e.type, 'source', e.source, 'payload', e.payload,
    'receivedAt', to_char(e.received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'hops', e.headers ->> 'webhook-hops')`
