import type { PublicContext } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { ApiError } from '../../../errors.ts'
import type { VerifiedRequest } from '../../../inbound/receive.ts'
import type { Receiver } from '../../../inbound/receiver.ts'
import { redactHeaders } from '../../../inbound/sanitize.ts'
import type { StoredEvent } from '../../../inbound/store-event.ts'
import { newId } from '../../../security/ids.ts'
import { extractEvent } from './parse-request.ts'
import { insertReceived } from './receive-queries.ts'

/** Null if the webhook has changed since the request was verified. */
export function storeReceived(
  ctx: PublicContext,
  receiver: Receiver,
  { headers, body, scheme }: VerifiedRequest,
): Promise<StoredEvent | null> {
  const now = ctx.now()
  const { source } = receiver
  return insertReceived(ctx.sql, receiver.orgId, receiver, {
    id: newId(),
    ...extractEvent({ headers, body, scheme, source }),
    verification: { scheme: scheme.name, result: 'valid', reason: null },
    body,
    headers: redactHeaders(headers, receiver.secrets(now)),
    now,
  })
}

export const acknowledge = ({ eventId, status, isDuplicate }: StoredEvent) =>
  reply({ eventId, status, duplicate: isDuplicate }, { status: isDuplicate ? 200 : 202 })

export const concurrentChange = () =>
  new ApiError('CONFLICT', 'The webhook was changed at the same time: send the event again')
