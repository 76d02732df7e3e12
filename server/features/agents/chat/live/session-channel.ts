import type { sessions } from '../../../../../contract/agents/sessions.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { notify } from '../../../../database/transaction.ts'
import { reply } from '../../../../endpoint/route.ts'
import { ApiError } from '../../../../errors.ts'
import { formatEvent, SSE_HEADERS } from '../../../../streams/sse-connection.ts'
import { streamOpeners } from '../../../../streams/stream-slots.ts'
import type { Streams } from '../../../../streams/streams.ts'
import { findSession, SESSION_CHANNEL } from '../../conversations/conversations.ts'
import { RUN_CHANNEL } from '../../runs/runs.ts'
import { parsePosition } from './live-queries.ts'
import { openSession, requireAccess } from './open-session.ts'
import { readSession, type SessionCursor } from './read-session.ts'

const topicOf = (orgId: string, sessionId: string) => `session ${orgId} ${sessionId}`

/** Every process reads the rows, so it doesn't matter which one executes the runs. */
export function createSessionChannel(streams: Streams) {
  streams.subscribe(SESSION_CHANNEL, (payload) => {
    const { orgId, sessionId, typing } = JSON.parse(payload)
    const topic = streams.topic(topicOf(orgId, sessionId))
    if (typing) topic?.broadcast(formatEvent('typing', typing), typing.userId)
    else topic?.schedule()
  })
  streams.subscribe(RUN_CHANNEL, (payload) => {
    const { orgId, sessionId } = JSON.parse(payload)
    streams.topic(topicOf(orgId, sessionId))?.schedule()
  })
  return {
    async follow(ctx: Context, { id, after, byteRequest }: InputOf<typeof sessions.live>) {
      const { orgId, projectId } = await findSession(ctx, id)
      if (byteRequest.headOnly) return reply(null, { bytes: { content: null, headers: SSE_HEADERS } })
      const { userId } = ctx.caller
      const content = await streams.follow<SessionCursor>({
        topic: topicOf(orgId, id),
        subscriber: { orgId, userId, projectId },
        openers: streamOpeners(ctx.caller),
        clientKey: userId,
        isAllowed: () => isAllowed(ctx, id),
        checksEachRead: false,
        open: () => openSession(ctx, id, parsePosition(byteRequest.lastEventId) ?? parsePosition(after)),
        read: (cursor) => readSession(ctx, id, cursor),
      })
      return reply(null, { bytes: { content, headers: SSE_HEADERS } })
    },
  }
}

async function isAllowed(ctx: Context, sessionId: string): Promise<boolean> {
  try {
    await requireAccess(ctx, sessionId)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** Reaches the streams in every process, but isn't stored. */
export async function reportTyping(ctx: Context, { id: sessionId }: InputOf<typeof sessions.typing>) {
  const { orgId } = await findSession(ctx, sessionId, 'edit')
  const { userId } = ctx.caller
  const [member] = await ctx.sql<{ name: string }[]>`
    select u.name from memberships m join users u on u.id = m.user_id
    where m.org_id = ${orgId} and m.user_id = ${userId}`
  const typing = { userId, name: member!.name }
  notify(ctx.sql, SESSION_CHANNEL, JSON.stringify({ orgId, sessionId, typing }))
  return { sent: true as const }
}
