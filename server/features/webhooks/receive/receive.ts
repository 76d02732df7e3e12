import type { InputOf } from '../../../../contract/endpoint.ts'
import { RECEIVED_BYTES_MAX } from '../../../../contract/webhooks/webhook-records.ts'
import type { webhooks } from '../../../../contract/webhooks/webhooks.ts'
import type { PublicContext } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { notFound } from '../../../errors.ts'
import { insertRefusal } from '../../../inbound/event-log.ts'
import { receive as receiveRequest } from '../../../inbound/receive.ts'
import type { Refusal } from '../../../inbound/store-event.ts'
import type { Headers } from '../../../signatures/signed-request.ts'
import { buildReceiveUrl } from '../records.ts'
import { parseHops } from './parse-request.ts'
import type { WebhookReceiver, WebhookReceivers } from './receivers.ts'
import { acknowledge, concurrentChange, refusalError, storeReceived } from './store-received.ts'

const HOPS_MAX = 3

export const receive =
  (receivers: WebhookReceivers) =>
  async (
    ctx: PublicContext<'outbound' | 'quotas' | 'suspensions' | 'vault'>,
    input: InputOf<typeof webhooks.receive>,
  ) => {
    const { webhookId, headers, content, contentLength } = input
    const inbound = {
      bytesMax: RECEIVED_BYTES_MAX,
      find: (options: { fresh: boolean }) => receivers.find(ctx, webhookId, options),
      refuse: refuseCycles,
      store: storeReceived,
      record: ({ sql }: PublicContext, receiver: WebhookReceiver, refusal: Refusal) =>
        insertRefusal(sql, receiver.orgId, receiver, refusal),
    }
    const url = buildReceiveUrl(ctx.origin, webhookId)
    const outcome = await receiveRequest(ctx, inbound, { url, headers, content, contentLength })
    switch (outcome.kind) {
      case 'stored':
        return acknowledge(outcome.event)
      case 'refused':
        throw refusalError(outcome.reason)
      case 'handshake':
        return reply({ challenge: outcome.challenge }, { status: 200 })
      case 'answered':
        return outcome.answer
      case 'not_found':
        throw notFound('Webhook')
      case 'conflict':
        throw concurrentChange()
    }
  }

const refuseCycles = (headers: Headers) => (parseHops(headers) > HOPS_MAX ? ('too_many_hops' as const) : null)
