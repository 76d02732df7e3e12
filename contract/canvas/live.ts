import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { Id, text } from '../fields.ts'
import { ProjectRef } from '../projects/projects.ts'
import type { CanvasChange } from './canvas.ts'

const params = z.object({ projectId: ProjectRef })
const ClientId = Id.describe('Made by the client, one for each open canvas')

const Cursor = z.object({ x: z.number(), y: z.number() }).nullable()
/** Who of those who have it open: the client, and the person; a client alone could be anybody's claim. */
const Whereabouts = z.object({ client: ClientId, userId: Id.nullable().describe('Null for a guest') })

export const Presence = Whereabouts.extend({
  name: z.string().describe('Of a guest, what they want to be called'),
  guest: z.boolean(),
  cursor: Cursor,
  selection: z.array(Id),
})

/** What the events of a stream carry, by their names. */
export interface LiveEvents {
  /** `seq` is the latest change; those after the place that was asked for follow. `here`: as far as known. */
  ready: { seq: number; here: z.output<typeof Presence>[] }
  change: z.output<typeof CanvasChange>
  presence: z.output<typeof Presence>
  left: z.output<typeof Whereabouts>
  /** Its settings changed: read the project anew. */
  project: Record<string, never>
  /** What happened in between is not told: read the canvas anew, and skip changes up to the `seq` read there. */
  reset: { seq: number }
  /** Connect again, unless that is refused. */
  ended: { reason: 'age' | 'access' | 'closing' }
}

export const live = {
  stream: endpoint({
    method: 'GET',
    path: '/api/v1/projects/:projectId/live',
    summary: 'Follow a canvas as it changes',
    description:
      'Server-sent events. `ready` first; then `change` (a change of the history, its number as event id), `presence` and `left` (where others are), `project` (its settings changed), `reset` (too far behind: read the canvas anew) and `ended`. Go on with `Last-Event-ID` or `since`; nothing is lost. The stream ends by itself from time to time: connect again, and say where you are again.',
    access: member({ share: 'view' }),
    params,
    query: z.object({
      since: z.coerce.number().int().min(0).optional().describe('The `seq` that the canvas was read at'),
      client: ClientId.optional(),
    }),
    output: z.null(),
    bytes: 'events',
  }),
  presence: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:projectId/live/presence',
    summary: 'Say where you are on a canvas',
    description: 'Told to everybody who has it open, and kept nowhere.',
    access: member({ share: 'view' }),
    params,
    body: z.object({
      client: ClientId,
      cursor: Cursor.default(null),
      selection: z.array(Id).max(100, 'must be at most 100 blocks').default([]),
      name: text(1, 60).optional().describe('What a guest wants to be called'),
    }),
    output: z.object({ told: z.literal(true) }),
    status: 202,
  }),
}
