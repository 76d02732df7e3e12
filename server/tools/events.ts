import { z } from 'zod'
import { Id } from '../../contract/fields.ts'
import { webhooks } from '../../contract/webhooks/webhooks.ts'
import { fence } from '../language-models/fence.ts'
import { callEndpoint } from './call-endpoint.ts'
import { clip } from './clip.ts'
import { requireTrust } from './project-ref.ts'
import type { Tool } from './tool.ts'

const LIMIT = 30
const PAYLOAD_BYTES = 24_000

const input = z.strictObject({
  type: z.string().max(120).optional().describe('An event type, or a prefix followed by *'),
  direction: z.enum(['inbound', 'internal']).optional(),
  id: Id.optional().describe('One event with its payload'),
  cursor: z.string().max(1000).optional(),
})

export const listEvents: Tool<z.output<typeof input>> = {
  name: 'list_events',
  description:
    'List the organization’s events, newest first, or read one by id: what happened in projects, and what third parties sent to webhooks.',
  input,
  effect: 'read',
  risk: 'none',
  isOutside: (output) => (output as { outside?: boolean }).outside === true,
  async run(call, { id, ...query }) {
    requireTrust(call)
    if (id) {
      const event = await callEndpoint(call, webhooks.event, { params: { eventId: id } })
      const isReceived = event.direction === 'inbound'
      const summary = describeEvent(event)
      if (event.payload === undefined) return { ...summary, note: 'Only admins can read the payload' }
      const { text, next } = clip(JSON.stringify(event.payload, null, 1) ?? '', PAYLOAD_BYTES)
      const payload = isReceived ? fence(text, `the webhook ${event.webhookName}`) : text
      const cut = next === null ? {} : { note: 'The payload is cut' }
      return { ...summary, payload, ...cut, ...(isReceived && { outside: true }) }
    }
    const { items, nextCursor } = await callEndpoint(call, webhooks.events, {
      query: { ...query, limit: LIMIT },
    })
    return { items: items.map(describeEvent), ...(nextCursor && { nextCursor }) }
  },
}

interface EventSummary {
  id: string
  type: string
  direction: string
  source: string
  status: string
  webhookName: string | null
  receivedAt: string
}

/** The sender chooses the type, and lists don't fence it. */
const PLAIN_TYPE = /^[\w./:-]{1,60}$/

export const describeEvent = ({
  id,
  type,
  direction,
  source,
  status,
  webhookName,
  receivedAt,
}: EventSummary) => ({
  id,
  type: direction !== 'inbound' || PLAIN_TYPE.test(type) ? type : '(not a plain name)',
  direction,
  source,
  status,
  ...(webhookName && { webhook: webhookName }),
  receivedAt,
})
