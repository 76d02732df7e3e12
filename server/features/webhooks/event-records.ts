import type { z } from 'zod'
import type { WebhookEvent } from '../../../contract/webhooks/webhook-records.ts'
import type { Fragment, Sql } from '../../database/database.ts'
import { memberProjectAccess } from '../projects/access/access.ts'

export interface EventRow extends z.output<typeof WebhookEvent> {
  /** As received. Null for Atrium events. */
  body: Uint8Array | null
}

export const columns = (sql: Sql) => sql`
  e.id, e.webhook_id as "webhookId", w.name as "webhookName", e.direction, e.type, e.source,
  e.external_id as "externalId", e.status, e.verification, e.payload, e.body, e.headers, e.received_at as "receivedAt"`

/** `reader` is the webhook's creator. */
export const deliveredEvent = (sql: Sql, reader: Fragment): Fragment => sql`
  jsonb_build_object('id', e.id, 'type', e.type, 'source', e.source, 'payload', ${payloadFor(sql, reader)},
    'receivedAt', to_char(e.received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'hops', e.headers ->> 'webhook-hops')`

/** A payload holds ids only, because every member can read the log. A run's result is added for those who may see it. */
export const payloadFor = (sql: Sql, reader: Fragment): Fragment => sql`
  case when e.type = 'agent.run.completed' and e.direction = 'internal' then e.payload || coalesce((
    select jsonb_build_object('output', r.output) from runs r
    join projects p on p.org_id = r.org_id and p.id = r.project_id and p.deleted_at is null
    join memberships m on m.org_id = r.org_id and m.user_id = ${reader}
    where r.org_id = e.org_id and r.id = (e.payload ->> 'runId')::uuid and r.output is not null
      and ${memberProjectAccess(sql, sql`m.user_id`, sql`m.role`)} is not null), '{}')
  else e.payload end`
