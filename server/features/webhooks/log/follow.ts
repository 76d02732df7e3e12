import type { InputOf } from '../../../../contract/endpoint.ts'
import type { webhooks } from '../../../../contract/webhooks/webhooks.ts'
import type { Context } from '../../../context.ts'
import { conflict } from '../../../errors.ts'
import { formatEvent } from '../../../streams/sse-connection.ts'
import { messageOf } from '../deliver/deliver.ts'
import { findWebhook } from '../manage.ts'
import type { EventStream } from './event-stream.ts'
import { isWebhookEnabled, listForwardedEvents, listLoggedEvents } from './follow-queries.ts'
import { presentFor } from './log.ts'

/** The event log of the organization or of one webhook, as it grows. */
export async function followEvents(stream: EventStream, ctx: Context, input: InputOf<typeof webhooks.tail>) {
  const { webhookId, byteRequest } = input
  const { orgId, role } = ctx.caller
  if (webhookId !== undefined) await findWebhook(ctx, webhookId)
  return stream(ctx, byteRequest, {
    key: JSON.stringify(['log', webhookId, role]),
    isAllowed: async () => true,
    list: async (range) =>
      (await listLoggedEvents(ctx.sql, orgId, webhookId ?? null, range)).map((row) => ({
        id: row.id,
        recordedIn: row.recordedIn,
        format: (cursor) => formatEvent('event', presentFor(ctx.caller, row), cursor),
      })),
  })
}

/** The deliveries that a webhook would make, signed, for a program on the caller's own machine. */
export async function listen(
  stream: EventStream,
  ctx: Context,
  { id, byteRequest }: InputOf<typeof webhooks.listen>,
) {
  const { orgId } = ctx.caller
  const { status } = await findWebhook(ctx, id)
  if (status === 'disabled') throw conflict('This webhook is disabled: enable it first')
  return stream(ctx, byteRequest, {
    key: JSON.stringify(['listen', id]),
    isAllowed: () => isWebhookEnabled(ctx.sql, orgId, id),
    list: async (range) =>
      (await listForwardedEvents(ctx.sql, orgId, id, range)).map((row) => ({
        id: row.id,
        recordedIn: row.recordedIn,
        format: (cursor) => formatEvent('delivery', { type: row.event.type, ...messageOf(ctx, row) }, cursor),
      })),
  })
}
