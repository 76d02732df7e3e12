import { z } from 'zod'
import { sms } from '../../../contract/telephony/sms.ts'
import { TELEPHONY_LIMITS } from '../../../contract/telephony/telephony-options.ts'
import { callEndpoint } from '../call-endpoint.ts'
import type { Tool } from '../tool.ts'

const input = z.strictObject({
  to: z.string().max(16).describe('With country code: +4930123456'),
  body: z.string().min(1).max(TELEPHONY_LIMITS.smsBody),
  from: z.string().max(16).optional(),
  files: z.array(z.uuid()).max(TELEPHONY_LIMITS.media).optional(),
})

export const sendSms: Tool<z.output<typeof input>> = {
  name: 'send_sms',
  description: 'Send a text message to a phone, with files by their ids.',
  input,
  effect: 'once',
  risk: 'send',
  summarize: ({ to, body }) => `Send a text message to ${to}: ${body.slice(0, 500)}`,
  async run(call, { to, body, from, files }) {
    const { id, status, segments } = await callEndpoint(call, sms.send, {
      body: { to, body, ...(from && { from }), ...(files && { mediaFileIds: files }) },
      idempotencyKey: call.idempotencyKey,
    })
    return { id, status, segments }
  },
}
