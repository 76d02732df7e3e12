import type { Sql } from '../../../database/database.ts'

export const listEventStatuses = (sql: Sql, orgId: string, eventIds: string[]) => sql<
  { id: string; status: string }[]
>`
  select id, status from events where org_id = ${orgId} and id = any(${eventIds}::uuid[])`

interface Replay {
  webhookId: string
  eventIds: string[]
  now: Date
}

/**
 * Inserts the deliveries of a replay; none if the webhook is not active or has no URL. The lock orders it before or
 * after a change of the webhook.
 */
export const insertReplays = (sql: Sql, orgId: string, { webhookId, eventIds, now }: Replay) => sql<
  { eventId: string; deliveryId: string }[]
>`
  with hook as (
    select id, url from webhooks
    where org_id = ${orgId} and id = ${webhookId} and status = 'active' and url is not null
    for key share
  )
  insert into deliveries (org_id, id, event_id, event_type, event_direction, webhook_id, url, status, next_attempt_at,
    trigger, created_at)
  select e.org_id, new_id(${now}), e.id, e.type, e.direction, hook.id, hook.url, 'pending', ${now}::timestamptz, 'replay',
    ${now}::timestamptz
  from events e cross join hook where e.org_id = ${orgId} and e.id = any(${eventIds}::uuid[])
  order by e.id
  returning event_id as "eventId", id as "deliveryId"`
