import type { InputOf } from '../../../../contract/endpoint.ts'
import { RECEIVED_BYTES_MAX } from '../../../../contract/webhooks/webhook-records.ts'
import type { webhooks } from '../../../../contract/webhooks/webhooks.ts'
import type { PublicContext } from '../../../context.ts'
import { takeToken } from '../../../database/limits.ts'
import { reply } from '../../../endpoint/route.ts'
import { ApiError, notFound, unauthorized } from '../../../errors.ts'
import { notifyEvent } from '../../../events/publish.ts'
import { newId } from '../../../security/ids.ts'
import { type Headers, type Verdict, verify } from '../../../signatures/verify.ts'
import { describe, hopsOf, storable, withoutSecrets } from './parse-request.ts'
import { insertReceived, insertRejected } from './receive-queries.ts'
import type { Receiver, Receivers } from './receiver-cache.ts'

/** A receiver that was just changed is looked up anew; this often, in case that happens again at once. */
export const LOOKS_MAX = 3
const HOPS_MAX = 3
/** Refused requests are written down, but nobody can fill the log with them. */
const REFUSALS_KEPT = { name: 'webhook-refusal', capacity: 60, perSeconds: 60 }

type Input = InputOf<typeof webhooks.receive>

/** Load, verify, keep; acknowledged only once the event is committed. */
export const receive = (receivers: Receivers) => async (ctx: PublicContext, input: Input) => {
  const body = await readBody(input)
  for (let look = 0; look < LOOKS_MAX; look++) {
    const receiver = await receivers.find(ctx, input.webhookId, look > 0)
    if (!receiver) throw notFound('Webhook')
    const isDisabled = receiver.status === 'disabled'
    const refused = isDisabled ? null : refusalOf(receiver, input.headers, body, ctx.now())
    // What is remembered may be older than the secret that was used, or than the word to go on: nothing is refused by it.
    if ((isDisabled || refused) && look === 0) continue
    if (isDisabled) throw notFound('Webhook')
    if (refused) return refuse(ctx, receiver, input.headers, refused)
    const kept = await keep(ctx, receiver, { headers: input.headers, body: body! })
    if (kept) return kept
  }
  throw changing()
}

export const changing = () => new ApiError('CONFLICT', 'This webhook is being changed: send it again')

/** Null where there is more of it than is taken. */
export async function readBody({ content, contentLength }: Pick<Input, 'content' | 'contentLength'>) {
  if (contentLength !== null && contentLength > RECEIVED_BYTES_MAX) return null
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > RECEIVED_BYTES_MAX) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

interface Refused {
  reason: NonNullable<Verdict['reason']> | 'too_large' | 'too_many_hops'
  scheme: string | null
}

function refusalOf(receiver: Receiver, headers: Headers, body: Buffer | null, now: Date): Refused | null {
  if (body === null) return { reason: 'too_large', scheme: null }
  if (hopsOf(headers) > HOPS_MAX) return { reason: 'too_many_hops', scheme: null }
  const { valid, scheme, reason } = verify(headers, body, receiver.secrets(now), now)
  return valid ? null : { reason: reason!, scheme }
}

async function refuse(
  ctx: PublicContext,
  receiver: Receiver,
  headers: Headers,
  { reason, scheme }: Refused,
): Promise<never> {
  const { orgId, id, source } = receiver
  const { allowed } = await takeToken(ctx.sql, REFUSALS_KEPT, id, ctx.now())
  if (allowed) {
    await insertRejected(ctx.sql, orgId, {
      id: newId(),
      webhookId: id,
      source,
      verification: { scheme, result: scheme ? 'invalid' : 'none', reason },
      headers: withoutSecrets(headers, receiver.secrets(ctx.now())),
      now: ctx.now(),
    })
  }
  if (reason === 'too_large') throw tooLarge()
  if (reason === 'too_many_hops') {
    throw new ApiError('CONFLICT', 'This event has gone through too many webhooks: it goes in a circle', {
      details: { reason },
    })
  }
  throw unauthorized(WORDS[reason], { reason })
}

export const tooLarge = () =>
  new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${RECEIVED_BYTES_MAX} bytes`, {
    details: { reason: 'too_large' },
  })

const WORDS: Record<NonNullable<Verdict['reason']>, string> = {
  missing_signature: 'The request carries neither a signature nor the secret of this webhook',
  malformed_signature: 'The signature of the request cannot be read',
  bad_signature: 'The signature or the secret of the request is not that of this webhook',
  timestamp_skew: 'The time of the request is too far from ours',
}

/** Null if the webhook changed since it was looked up. */
export async function keep(
  ctx: PublicContext,
  receiver: Receiver,
  { headers, body }: { headers: Headers; body: Buffer },
) {
  const id = newId()
  const { payload, type, externalId, scheme } = describe(headers, body)
  const result = await insertReceived(ctx.sql, receiver.orgId, receiver, {
    id,
    type,
    externalId,
    verification: { scheme, result: 'valid', reason: null },
    payload: storable(payload),
    headers: withoutSecrets(headers, receiver.secrets(ctx.now())),
    now: ctx.now(),
  })
  if (!result) return null
  const duplicate = result.eventId !== id
  if (!duplicate) notifyEvent(ctx.sql, receiver.orgId, { hasDeliveries: result.isToDeliver })
  return reply(
    { eventId: result.eventId, status: result.status, duplicate },
    { status: duplicate ? 200 : 202 },
  )
}
