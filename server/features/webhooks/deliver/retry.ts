import type { InputOf } from '../../../../contract/endpoint.ts'
import type { webhooks } from '../../../../contract/webhooks/webhooks.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { badField, conflict, notFound } from '../../../errors.ts'
import { notifyDispatchers } from '../../../events/publish.ts'
import { requireWebhook } from '../manage.ts'
import { isLeased } from './claim.ts'

export async function retryEvent(ctx: Context, { eventId, deliveryId }: InputOf<typeof webhooks.retryEvent>) {
  const { exists, retried, failed } = await retryDeliveries(ctx.sql, ctx.caller.orgId, {
    eventId,
    deliveryId: deliveryId ?? null,
    now: ctx.now(),
  })
  if (!exists) throw notFound(deliveryId === undefined ? 'Event' : 'Delivery')
  if (retried === 0 && failed) throw conflict('The webhook is paused or disabled: activate it first')
  if (retried === 0) throw conflict('No delivery of this event has failed: they are delivered or pending')
  return { retried }
}

export async function retryFailed(ctx: Context, { id, since }: InputOf<typeof webhooks.retryFailed>) {
  await requireWebhook(ctx, id)
  return { retried: await retryFailedSince(ctx.sql, ctx.caller.orgId, id, new Date(since), ctx.now()) }
}

interface RetryResult {
  exists: boolean
  retried: number
  failed: boolean
}

/** Skips paused and disabled webhooks. */
export async function retryDeliveries(
  sql: Sql,
  orgId: string,
  { eventId, deliveryId, now }: { eventId: string; deliveryId: string | null; now: Date },
): Promise<RetryResult> {
  const [row] = await sql<RetryResult[]>`
    with selected as (
      select d.id, d.status from deliveries d
      where d.org_id = ${orgId} and d.event_id = ${eventId} and (${deliveryId}::uuid is null or d.id = ${deliveryId}::uuid)
      for update
    ), retried as (
      update deliveries d set status = case d.status when 'retrying' then 'retrying' else 'pending' end,
        trigger = case when d.status = 'retrying' or d.trigger = 'replay' then d.trigger else 'manual' end,
        url = w.url, next_attempt_at = ${now}, completed_at = null
      from selected, webhooks w
      where d.org_id = ${orgId} and d.id = selected.id
        and (d.status in ('failed', 'canceled') or (d.status = 'retrying' and not (${isLeased(sql)})))
        and w.org_id = d.org_id and w.id = d.webhook_id and w.status = 'active' and w.url is not null
      returning d.id
    )
    select (exists (select from selected) or (${deliveryId}::uuid is null
        and exists (select from events where org_id = ${orgId} and id = ${eventId}))) as exists,
      (select count(*)::int from retried) as retried,
      exists (select from selected where status in ('failed', 'canceled')) as failed`
  if (row!.retried > 0) notifyDispatchers(sql)
  return row!
}

async function retryFailedSince(
  sql: Sql,
  orgId: string,
  webhookId: string,
  since: Date,
  now: Date,
): Promise<number> {
  const [row] = await sql<{ retried: number }[]>`
    with retried as (
      update deliveries d set status = 'pending',
        trigger = case d.trigger when 'replay' then 'replay' else 'manual' end, url = w.url, next_attempt_at = ${now},
        completed_at = null
      from webhooks w
      where d.org_id = ${orgId} and d.webhook_id = ${webhookId} and d.status = 'failed' and d.completed_at >= ${since}
        and w.org_id = d.org_id and w.id = d.webhook_id and w.status = 'active' and w.url is not null
      returning d.id
    )
    select count(*)::int as retried from retried`
  if (row!.retried > 0) notifyDispatchers(sql)
  return row!.retried
}

export async function replayEvents(ctx: Context, input: InputOf<typeof webhooks.replay>) {
  const { orgId } = ctx.caller
  const eventIds = [...new Set(input.eventIds)]
  const { id: webhookId, name } = await requireWebhook(ctx, input.webhookId)
  return ctx.transaction(async (inside) => {
    const events = await listEventStatuses(inside.sql, orgId, eventIds)
    if (events.length < eventIds.length) throw notFound('Event')
    if (events.some(({ status }) => status === 'rejected'))
      throw badField('body.eventIds', 'must not contain a rejected event: it was not verified')
    const deliveries = await insertReplays(inside.sql, orgId, { webhookId, eventIds, now: ctx.now() })
    if (deliveries.length === 0)
      throw conflict('This webhook is paused or disabled, or forwards nothing: activate it, or set its URL')
    await recordAudit(inside, {
      action: 'webhook.replayed',
      by: ctx.caller,
      target: webhookId,
      details: { name, events: String(deliveries.length), first: eventIds[0]! },
    })
    notifyDispatchers(inside.sql)
    return { deliveries: [...deliveries] }
  })
}

const listEventStatuses = (sql: Sql, orgId: string, eventIds: string[]) => sql<
  { id: string; status: string }[]
>`
  select id, status from events where org_id = ${orgId} and id = any(${eventIds}::uuid[])`

interface Replay {
  webhookId: string
  eventIds: string[]
  now: Date
}

/** None if the webhook is inactive or has no URL. The lock orders this before or after a webhook change. */
const insertReplays = (sql: Sql, orgId: string, { webhookId, eventIds, now }: Replay) => sql<
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
