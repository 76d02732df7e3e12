import type { InputOf } from '../../../contract/endpoint.ts'
import type { webhooks } from '../../../contract/webhooks.ts'
import type { PublicContext } from '../../context.ts'
import { unauthorized } from '../../errors.ts'
import { keep, readBody, refusalOf } from './receive.ts'
import type { Receivers } from './receivers.ts'

const SOURCE = 'linear'

/**
 * One address for everybody: the webhook that is meant is the one whose secret signed the request. A request that
 * nobody's secret signed belongs to nobody, so there is no log to write it into.
 */
export const receiveLinear =
  (receivers: Receivers) => async (ctx: PublicContext, input: InputOf<typeof webhooks.receiveLinear>) => {
    const body = await readBody(input)
    const { headers } = input
    if (body && headers['linear-signature']) {
      for (const receiver of await receivers.listOf(ctx, SOURCE)) {
        if (refusalOf(receiver, headers, body, ctx.now())) continue
        const kept = await keep(ctx, receiver, headers, body)
        if (kept) return kept
      }
    }
    throw unauthorized('No webhook with the source linear has the secret that signed this', {
      reason: headers['linear-signature'] ? 'bad_signature' : 'missing_signature',
    })
  }
