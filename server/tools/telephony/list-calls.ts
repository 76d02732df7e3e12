import { z } from 'zod'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { calls } from '../../../contract/telephony/calls.ts'
import { fence } from '../../models/fence.ts'
import { callEndpoint } from '../call-endpoint.ts'
import { requireTrust } from '../project-ref.ts'
import type { Tool } from '../tool.ts'
import { projectFilterOf } from './listed-project.ts'

const LIMIT = 20

const input = z.strictObject({
  id: z.uuid().optional(),
  peer: z.string().max(16).optional().describe('The number of the other side'),
  cursor: z.string().max(1000).optional(),
})

export const listCalls: Tool<z.output<typeof input>> = {
  name: 'list_calls',
  description: 'List phone calls, newest first, or read one by its id, with its timeline.',
  input,
  effect: 'read',
  risk: 'none',
  isOutside: (output) => (output as { outside?: boolean }).outside === true,
  async run(call, { id, ...filter }) {
    const projectFilter = projectFilterOf(call)
    if (id) {
      const { timeline, ...found } = await callEndpoint(call, calls.get, { params: { id } })
      if (projectFilter.projectId !== undefined && found.projectId !== projectFilter.projectId)
        requireTrust(call)
      const entries = timeline.map(({ at, type, detail }) => [at, type, detail].filter(Boolean).join(' '))
      return { ...describe(found), timeline: fence(entries.join('\n'), 'a phone call'), outside: true }
    }
    const query = { ...filter, ...projectFilter, limit: LIMIT }
    const { items, nextCursor } = await callEndpoint(call, calls.list, { query })
    // Callers influence the text of summaries.
    const outside = items.some(({ summary }) => summary !== null)
    return { items: items.map(describe), ...(nextCursor && { nextCursor }), ...(outside && { outside }) }
  },
}

type CallItem = OutputOf<typeof calls.list>['items'][number]

const describe = ({ summary, ...call }: CallItem) => ({
  id: call.id,
  direction: call.direction,
  from: call.from,
  to: call.to,
  status: call.status,
  startedAt: call.startedAt,
  ...(call.durationSeconds !== null && { seconds: call.durationSeconds }),
  ...(call.endReason && { end: call.endReason }),
  ...(call.sessionId && { sessionId: call.sessionId }),
  ...(summary && { summary: fence(summary, 'a phone call') }),
})
