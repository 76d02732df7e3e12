import { z } from 'zod'
import { sms } from '../../../contract/telephony/sms.ts'
import { DIRECTIONS, SMS_STATUSES } from '../../../contract/telephony/telephony-options.ts'
import { fence } from '../../models/fence.ts'
import { callEndpoint } from '../call-endpoint.ts'
import { clip } from '../clip.ts'
import type { Tool } from '../tool.ts'
import { projectFilterOf } from './listed-project.ts'

const LIMIT = 20
const TEXT_BYTES = 24_000

const input = z.strictObject({
  peer: z.string().max(16).optional().describe('The number of the other side'),
  direction: z.enum(DIRECTIONS).optional(),
  status: z.enum(SMS_STATUSES).optional(),
  cursor: z.string().max(1000).optional(),
})

export const listSms: Tool<z.output<typeof input>> = {
  name: 'list_sms',
  description: 'List text messages of the numbers of the organization, newest first, with their status.',
  input,
  effect: 'read',
  risk: 'none',
  isOutside: (output) => (output as { outside?: boolean }).outside === true,
  async run(call, filter) {
    const query = { ...filter, ...projectFilterOf(call), limit: LIMIT }
    const { items, nextCursor } = await callEndpoint(call, sms.list, { query })
    const texts = items.map(({ id, direction, from, to, body, status, errorMessage, media, createdAt }) => ({
      ...{ id, direction, from, to, status, createdAt, body },
      ...(errorMessage && { error: errorMessage }),
      ...(media.length > 0 && { files: media }),
    }))
    const { text } = clip(JSON.stringify(texts), TEXT_BYTES)
    const outside = items.some(({ direction }) => direction === 'inbound')
    return {
      messages: fence(text, 'text messages'),
      ...(nextCursor && { nextCursor }),
      ...(outside && { outside }),
    }
  },
}
