import type { NumberSettings } from '../../../../contract/telephony/telephony-fields.ts'
import type { PublicContext } from '../../../context.ts'
import type { CarrierCallback } from '../carrier/carrier.ts'

/** The number that a callback is about, as far as callbacks depend on it. */
export interface CallbackNumber {
  orgId: string
  id: string
  e164: string
  provider: 'twilio'
  connectionId: string | null
  accountId: string
  projectId: string
  ownerId: string
  settings: NumberSettings
}

/** Null: the response is 204. */
export type CarrierReply = { twiml: string } | null

/**
 * Handles a callback whose signature is verified. `number.orgId` is the organization of everything that it may touch: a
 * call or a message that the callback names must be looked up in it.
 */
export type HandleCallback<N extends CallbackNumber = CallbackNumber> = (
  ctx: PublicContext,
  number: N,
  callback: CarrierCallback,
) => Promise<CarrierReply>
