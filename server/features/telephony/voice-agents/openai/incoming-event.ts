import { z } from 'zod'
import { E164 } from '../../../../../contract/telephony/telephony-fields.ts'

const HEADERS_MAX = 200

export const IncomingEvent = z.object({
  type: z.literal('realtime.call.incoming'),
  data: z.object({
    call_id: z.string().regex(/^[\w-]{1,200}$/),
    sip_headers: z
      .array(z.unknown())
      .max(HEADERS_MAX)
      .transform((headers) => headers.flatMap((header) => SipHeader.safeParse(header).data ?? []))
      .catch([]),
  }),
})

const SipHeader = z.object({ name: z.string().max(100), value: z.string().max(2000) })

const ADDRESS = /^[^<:]{0,100}<?(?:sip|sips|tel):(\+?\d{7,15})(?=[@;>]|$)/i

/** The two numbers in the headers of the INVITE. They can be forged, so they are only a lookup key. */
export function partiesOf({ sip_headers: headers }: z.output<typeof IncomingEvent>['data']) {
  const numberIn = (headerName: string) =>
    headers
      .filter(({ name }) => name.toLowerCase() === headerName)
      // Removes the quoted name, which may contain any text.
      .map(({ value }) => ADDRESS.exec(value.replaceAll(/"[^"]*"/g, ''))?.[1])
      .map((number) => number && (number.startsWith('+') ? number : `+${number}`))
      .find((number) => E164.safeParse(number).success)
  return { from: numberIn('from') ?? numberIn('p-asserted-identity'), to: numberIn('to') }
}
