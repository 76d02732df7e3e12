import type { InputOf } from '../../../../contract/endpoint.ts'
import type { webhooks } from '../../../../contract/webhooks/webhooks.ts'
import type { PublicContext } from '../../../context.ts'
import { unauthorized } from '../../../errors.ts'
import { type Headers, type Secret, verify } from '../../../signatures/verify.ts'
import { changing, keep, LOOKS_MAX, readBody, tooLarge } from './receive.ts'
import type { Receiver, Receivers } from './receiver-cache.ts'

const SOURCE = 'linear'
const HEADER = 'linear-signature'

/**
 * One address for everybody: the webhook that is meant is the one whose secret signed the request. A request that
 * nobody's secret signed belongs to nobody, so there is no log to write it into.
 */
export const receiveLinear =
  (receivers: Receivers) => async (ctx: PublicContext, input: InputOf<typeof webhooks.receiveLinear>) => {
    const body = await readBody(input)
    if (body === null) throw tooLarge()
    const { headers } = input
    if (!headers[HEADER]) throw unsigned('missing_signature')
    for (let look = 0; look < LOOKS_MAX; look++) {
      const receiver = signerOf(await receivers.listOf(ctx, SOURCE), headers, body, ctx.now())
      if (!receiver) throw unsigned('bad_signature')
      const kept = await keep(ctx, receiver, { headers, body })
      if (kept) return kept
    }
    throw changing()
  }

/** Whose secret signed it. All secrets are tried at once, so that the body is read only once, however many there are. */
function signerOf(all: readonly Receiver[], headers: Headers, body: Buffer, now: Date): Receiver | null {
  const held = all.flatMap((receiver) => readable(receiver, now).map((secret) => ({ receiver, secret })))
  const { valid, secret } = verify(
    headers,
    body,
    held.map((entry) => entry.secret),
    now,
  )
  return valid ? held.find((entry) => entry.secret === secret)!.receiver : null
}

/** One whose secrets cannot be opened any more keeps nobody else from receiving. */
function readable(receiver: Receiver, now: Date): readonly Secret[] {
  try {
    return receiver.secrets(now)
  } catch {
    return []
  }
}

const unsigned = (reason: string) =>
  unauthorized('No webhook with the source linear has the secret that signed this', { reason })
