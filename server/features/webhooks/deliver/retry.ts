import type { InputOf } from '../../../../contract/endpoint.ts'
import type { webhooks } from '../../../../contract/webhooks/webhooks.ts'
import type { Context } from '../../../context.ts'
import { conflict, notFound } from '../../../errors.ts'
import { findWebhook } from '../manage.ts'
import { retryDeliveries, retryFailedSince } from './retry-queries.ts'

/** Attempts failed and canceled deliveries once more, and scheduled retries now. */
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
  await findWebhook(ctx, id)
  return { retried: await retryFailedSince(ctx.sql, ctx.caller.orgId, id, new Date(since), ctx.now()) }
}
