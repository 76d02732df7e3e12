import type { z } from 'zod'
import type { AgentSession } from '../../../../../contract/agents/sessions.ts'
import type { Context } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import { formatEvent } from '../../../../streams/sse-connection.ts'
import type { Batch } from '../../../../streams/topic.ts'
import { findSession, presentMessage, presentSession } from '../../conversations/conversations.ts'
import { readApprovals } from '../../runs/runs.ts'
import {
  EVENTS_MAX,
  formatPosition,
  MESSAGES_MAX,
  type Position,
  readNewEntries,
  type SessionEventRow,
} from './live-queries.ts'

export interface SessionCursor {
  position: Position
  state: string
  /** Fields the client has received, as JSON. */
  shown: string
}

type Session = z.output<typeof AgentSession>

/** Messages come first, because a message precedes its answer. */
export async function readSession(
  ctx: Context,
  sessionId: string,
  cursor: SessionCursor,
): Promise<Batch<SessionCursor>> {
  const entries = await readNewEntries(ctx.sql, ctx.caller.orgId, sessionId, cursor.position)
  if (!entries) return { events: [], next: cursor, hasMore: false, isEnd: true }
  const batch = createBatch(cursor)
  for (const message of entries.messages)
    batch.add('message', presentMessage(message), { message: message.seq })
  if (entries.messages.length === MESSAGES_MAX) return batch.end({ hasMore: true })
  await addEvents(ctx, batch, entries.events)
  const hasMore = entries.events.length === EVENTS_MAX
  if (entries.state === cursor.state && !entries.events.some(mayChangeCost)) return batch.end({ hasMore })
  const session = await findOrNull(ctx, sessionId)
  if (!session) return batch.end({ hasMore: false, isEnd: true })
  batch.show(session, entries.state)
  return batch.end({ hasMore })
}

type SessionBatch = ReturnType<typeof createBatch>

function createBatch(start: SessionCursor) {
  const events: Batch<SessionCursor>['events'] = []
  let cursor = start
  return {
    position: () => cursor.position,
    /** The new position is the event's id. */
    add(name: string, data: unknown, advance: Partial<Position>): void {
      cursor = { ...cursor, position: { ...cursor.position, ...advance } }
      events.push({ cursor, frame: formatEvent(name, data, formatPosition(cursor.position)) })
    },
    /** The session is a state, so it has no position. A reconnecting client gets it in `ready`. */
    show(session: Session, state: string): void {
      const shown = serializeShownFields(session)
      const isNew = shown !== cursor.shown
      cursor = { ...cursor, state, shown }
      if (isNew) events.push({ cursor, frame: formatEvent('session', session) })
    },
    end: (options: { hasMore: boolean; isEnd?: boolean }): Batch<SessionCursor> => ({
      events,
      next: cursor,
      ...options,
    }),
  }
}

/** An approval event is followed by the current approval. */
async function addEvents(ctx: Context, batch: SessionBatch, rows: SessionEventRow[]): Promise<void> {
  const ids = rows.flatMap((row) => approvalIdOf(row) ?? [])
  const approvals = ids.length > 0 ? await readApprovals(ctx, ids) : []
  for (const row of rows) {
    const { runId, run, seq, type, data } = row
    const at = batch.position()
    if (run !== at.run || seq !== at.event)
      batch.add('run', { runId, seq, type, data }, { run, event: seq, hasApproval: false })
    const approval = approvals.find(({ id }) => id === approvalIdOf(row))
    if (approval) batch.add('approval', approval, { hasApproval: true })
  }
}

const approvalIdOf = ({ type, data }: SessionEventRow) =>
  type.startsWith('approval.') ? (data as { approvalId: string }).approvalId : undefined

/** A step may follow an interrupted attempt, which is then charged. */
const mayChangeCost = ({ type }: SessionEventRow) =>
  type === 'step.started' || type === 'step.finished' || type === 'run.finished'

/** Other changes send no event. */
export const serializeShownFields = ({
  title,
  model,
  status,
  activeRunId,
  cost,
  participants,
  canEdit,
}: Session) => JSON.stringify({ title, model, status, activeRunId, cost, participants, canEdit })

/** Returns null if the caller has lost access since. */
async function findOrNull(ctx: Context, sessionId: string): Promise<Session | null> {
  try {
    return presentSession(await findSession(ctx, sessionId))
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}
