import type { z } from 'zod'
import type { WebhookEvent } from '../../../contract/webhook-records.ts'
import type { Sql } from '../../database/database.ts'

export type EventRow = z.output<typeof WebhookEvent>

export const columns = (sql: Sql) => sql`
  e.id, e.webhook_id as "webhookId", w.name as "webhookName", e.direction, e.type, e.source,
  e.external_id as "externalId", e.status, e.verification, e.payload, e.headers, e.received_at as "receivedAt"`
