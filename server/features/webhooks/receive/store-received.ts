import { RECEIVED_BYTES_MAX } from '../../../../contract/webhooks/webhook-records.ts'
import type { PublicContext } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { ApiError, unauthorized } from '../../../errors.ts'
import type { RefusalReason, VerifiedRequest } from '../../../inbound/receive.ts'
import { redactHeaders } from '../../../inbound/sanitize.ts'
import { createBatchedStore, type StoredEvent } from '../../../inbound/store-event.ts'
import { quotaExceededForNow } from '../../../metering/quotas.ts'
import { currentTraceparent } from '../../../observability/tracing.ts'
import { newId } from '../../../security/ids.ts'
import { extractEvent } from './parse-request.ts'
import { insertReceived, type WebhookReceiver } from './receivers.ts'

const storeBatched = createBatchedStore(insertReceived)

/** Events are deleted after 30 days, so a later retry may fit the quota. */
const RETRY_SECONDS = 3600

/** Null if the webhook has changed since verification. Events over the quota are refused so that the sender retries. */
export async function storeReceived(
  ctx: PublicContext<'quotas'>,
  receiver: WebhookReceiver,
  { headers, body, scheme }: VerifiedRequest,
): Promise<StoredEvent | null> {
  const now = ctx.now()
  const { source, dedupWindowSeconds } = receiver
  const store = () =>
    storeBatched(ctx.sql, receiver.orgId, {
      id: newId(),
      receiver,
      ...extractEvent({ headers, body, scheme: scheme!, source, dedupWindowSeconds }),
      verification: { scheme: scheme!.name, result: 'valid', reason: null },
      body,
      headers: redactHeaders(headers, receiver.secrets(now)),
      trace: currentTraceparent(),
      now,
    })
  const outcome = await ctx.quotas.within(ctx.sql, receiver.orgId, { events: 1 }, store)
  if ('exceeded' in outcome) throw quotaExceededForNow(outcome.exceeded, RETRY_SECONDS)
  return outcome.result
}

export const acknowledge = ({ eventId, status, isDuplicate }: StoredEvent) =>
  reply({ eventId, status, duplicate: isDuplicate }, { status: isDuplicate ? 200 : 202 })

export const concurrentChange = () =>
  new ApiError('CONFLICT', 'The webhook was changed at the same time: send the event again')

const UNAUTHORIZED_MESSAGES = {
  missing_signature: 'The request has neither a signature nor this webhook’s secret',
  malformed_signature: 'The request’s signature is malformed',
  bad_signature: 'The request’s signature or secret does not match this webhook',
  unaccepted_scheme: 'The request is signed with a scheme that this webhook does not accept',
  several_signatures: 'The request has signatures from several schemes: send one',
  timestamp_skew: 'The request’s timestamp is too far from the current time',
}

export function refusalError(reason: RefusalReason): ApiError {
  if (reason === 'too_large') return tooLarge()
  if (reason === 'too_many_hops') {
    return new ApiError('CONFLICT', 'Too many webhooks forwarded the event: they form a cycle', {
      details: { reason },
    })
  }
  return unauthorized(UNAUTHORIZED_MESSAGES[reason], { reason })
}

export const tooLarge = () =>
  new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${RECEIVED_BYTES_MAX} bytes`, {
    details: { reason: 'too_large' },
  })
