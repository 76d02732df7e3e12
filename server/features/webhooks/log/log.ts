import type { z } from 'zod'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { type WebhookEvent, WebhookEventSummary } from '../../../../contract/webhooks/webhook-records.ts'
import type { webhooks } from '../../../../contract/webhooks/webhooks.ts'
import type { Caller, Context } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import { firstIdAt } from '../../../database/time-partitions.ts'
import { hasRole } from '../../../endpoint/permit.ts'
import { notFound, raise } from '../../../errors.ts'
import {
  type DeliveryRow,
  listAttempts,
  listDeliveries,
  listDeliveriesOfEvent,
  presentDelivery,
} from '../deliver/deliveries.ts'
import type { EventRow } from '../event-records.ts'
import { parsePayload, toRawContent } from '../exact-json.ts'
import { requireWebhook } from '../manage.ts'
import { nameEvents } from './event-names.ts'
import { findEvent, findRepetitions, listEvents } from './log-queries.ts'

export type Filters = Omit<InputOf<typeof webhooks.events>, 'limit' | 'cursor'>

export const listOrganizationEvents = (ctx: Context<'vault'>, input: InputOf<typeof webhooks.events>) =>
  readPage(ctx, null, input)

export async function listWebhookEvents(
  ctx: Context<'vault'>,
  { id, ...input }: InputOf<typeof webhooks.eventsOf>,
) {
  await requireWebhook(ctx, id)
  return readPage(ctx, id, input)
}

async function readPage(
  ctx: Context<'vault'>,
  webhookId: string | null,
  { limit, cursor, ...filters }: InputOf<typeof webhooks.events>,
) {
  const { orgId } = ctx.caller
  const list = `events ${orgId} ${webhookId} ${JSON.stringify(filters satisfies Filters)}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await listEvents(ctx.sql, orgId, {
    webhookId,
    ...toIdRange(filters, before),
    limit: limit + 1,
  })
  const namesOf = await nameEvents(ctx, rows)
  return cursorPage(ctx.vault, list, limit, rows, (row) => ({ ...present(row), ...namesOf(row) }))
}

/** A cursor already lies before the range's end. */
export function toIdRange({ from, to, ...filters }: Filters, before: string | null) {
  const idAt = (time: string | undefined) => (time === undefined ? null : firstIdAt(new Date(time)))
  return { ...filters, fromId: idAt(from), before: before ?? idAt(to) }
}

export async function readEvent(ctx: Context, { eventId }: InputOf<typeof webhooks.event>) {
  const { orgId } = ctx.caller
  const event = (await findEvent(ctx.sql, orgId, eventId, ctx.caller.userId)) ?? raise(notFound('Event'))
  const deliveries = await listDeliveriesOfEvent(ctx.sql, orgId, eventId)
  const attempts = await listAttempts(
    ctx.sql,
    orgId,
    deliveries.map(({ id }) => id),
  )
  return {
    ...present(event),
    ...(await nameEvents(ctx, [event]))(event),
    body: event.body && toRawContent(event.body),
    repetitions: await findRepetitions(ctx.sql, orgId, eventId),
    deliveries: deliveries.map((row) => ({
      ...presentDelivery(row),
      webhookName: row.webhookName,
      attempts: attempts.filter(({ deliveryId }) => deliveryId === row.id),
    })),
  }
}

export async function listWebhookDeliveries(
  ctx: Context<'vault'>,
  input: InputOf<typeof webhooks.deliveries>,
) {
  const { id, limit, cursor, status } = input
  const { orgId } = ctx.caller
  await requireWebhook(ctx, id)
  const list = `deliveries ${orgId} ${id} ${status}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows: readonly DeliveryRow[] = await listDeliveries(ctx.sql, orgId, {
    webhookId: id,
    status,
    before,
    limit: limit + 1,
  })
  return cursorPage(ctx.vault, list, limit, rows, presentDelivery)
}

/** For streams, which no serializer reduces to the caller's role. */
export const presentFor = (caller: Pick<Caller, 'role'>, row: EventRow) =>
  hasRole('admin', caller) ? present(row) : WebhookEventSummary.parse(present(row))

export const present = (row: EventRow): z.output<typeof WebhookEvent> => ({
  id: row.id,
  webhookId: row.webhookId,
  webhookName: row.webhookName,
  direction: row.direction,
  type: row.type,
  source: row.source,
  externalId: row.externalId,
  status: row.status,
  verification: row.verification,
  payload: row.body ? parsePayload(row.body) : row.payload,
  headers: row.headers,
  receivedAt: row.receivedAt,
})
