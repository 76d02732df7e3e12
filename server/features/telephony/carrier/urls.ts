import type { carrierCallbacks } from '../../../../contract/telephony/carrier-callbacks.ts'
import type { PublicContext } from '../../../context.ts'
import { callbackBase } from '../../connections/endpoints/endpoints.ts'
import type { TelephonyOptions } from '../dependencies.ts'

const PREFIX = '/api/v1/telephony/webhooks/'

export type CallbackName =
  (typeof carrierCallbacks)[keyof typeof carrierCallbacks]['path'] extends `${typeof PREFIX}${infer Name}`
    ? Name
    : never

/** Every callback names the number, and its account verifies the signature over the whole URL. */
export type CallbackQuery = Readonly<{ number: string } & Record<string, string>>

export const callbackUrl = (base: string, name: CallbackName, query: CallbackQuery): string =>
  `${base}${PREFIX}${name}?${new URLSearchParams(query)}`

/** Throws BAD_REQUEST with the reason if the carrier can't reach it. */
export const publicBase = (
  { publicUrl, connectors }: Pick<TelephonyOptions, 'publicUrl' | 'connectors'>,
  ctx: Pick<PublicContext, 'origin'>,
): string => callbackBase(ctx, { publicUrl, override: connectors.twilio?.url ?? null })

export type TwimlOptions = Pick<TelephonyOptions, 'publicUrl' | 'connectors'>

export type TwimlContext = Pick<PublicContext, 'origin'>
