import type { InputOf } from '../../../../contract/endpoint.ts'
import type { webhooks } from '../../../../contract/webhooks/webhooks.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { badField, conflict, notFound } from '../../../errors.ts'
import { notifyDispatchers } from '../../../events/publish.ts'
import { findWebhook } from '../manage.ts'
import { insertReplays, listEventStatuses } from './replay-queries.ts'

/** Delivers events again, to any webhook of the organization, as new deliveries. */
export async function replayEvents(ctx: Context, input: InputOf<typeof webhooks.replay>) {
  const { orgId } = ctx.caller
  const eventIds = [...new Set(input.eventIds)]
  const { id: webhookId, name } = await findWebhook(ctx, input.webhookId)
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
