import type { Fragment, Sql } from '../database/database.ts'
import { notifyEventStreams } from '../events/publish.ts'
import { countEventCte } from '../metering/usage-queries.ts'
import { newId } from '../security/ids.ts'
import type { Receiver } from './receiver.ts'
import type { Refusal } from './store-event.ts'

export const insertIntoLog = (sql: Sql): Fragment => sql`
  event as (
    insert into events (org_id, id, webhook_id, direction, type, source, external_id, status, verification, body,
      headers, received_at, trace)
    select r.org_id, r.event_id, r.id, 'inbound', r.type, r.source, r.external_id, r.verdict, r.verification,
      decode(r.body, 'base64'), r.headers, r.now, r.trace
    from receiver r join seen on seen.event_id = r.event_id
    returning org_id, id, status
  )`

export async function insertRefusal(
  sql: Sql,
  orgId: string,
  { id, source }: Pick<Receiver, 'id' | 'source'>,
  { verification, headers, now }: Refusal,
): Promise<void> {
  await sql`
    with event as (
      insert into events (org_id, id, webhook_id, direction, type, source, status, verification, headers, received_at)
      values (${orgId}, ${newId()}, ${id}, 'inbound', 'unknown', ${source}, 'rejected', ${sql.json(verification as never)},
        ${sql.json(headers)}, ${now})
      returning org_id
    ), ${countEventCte(sql)}
    select`
  notifyEventStreams(sql, orgId)
}
