import type { sessions } from '../../../../contract/agents/sessions.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { ApiError, unauthorized } from '../../../errors.ts'
import { formatEvent, SSE_HEADERS } from '../../../streams/sse-format.ts'
import { streamOpenersOf } from '../../../streams/stream-slots.ts'
import type { Streams } from '../../../streams/streams.ts'
import { isCredentialValid } from '../../accounts/accounts.ts'
import { RUN_CHANNEL } from '../../runs/runs.ts'
import { findSession, presentSession, SESSION_CHANNEL, type SessionRow } from '../../sessions/sessions.ts'
import { findPresent, findSwept } from './live-queries.ts'
import { formatPosition, type Position, parsePosition } from './position.ts'
import { readSession, type SessionCursor, shownOf } from './read-session.ts'

const topicOf = (orgId: string, sessionId: string) => `session ${orgId} ${sessionId}`

/** Follows sessions: every process reads the rows, so that it does not matter which one executes the runs. */
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
        openers: streamOpenersOf(ctx.caller),
        clientKey: userId,
        isAllowed: () => isAllowed(ctx, id),
        checksEachRead: false,
        open: () => open(ctx, id, parsePosition(byteRequest.lastEventId) ?? parsePosition(after)),
        read: (cursor) => readSession(ctx, id, cursor),
      })
      return reply(null, { bytes: { content, headers: SSE_HEADERS } })
    },
  }
}

/** Continues after a position, unless the session has never been there. */
async function open(ctx: Context, id: string, given: Position | undefined) {
  const row = await requireAccess(ctx, id)
  const { lastEvent, ...present } = await findPresent(ctx.sql, row.orgId, id)
  const isResumed =
    given !== undefined &&
    given.message <= present.message &&
    (given.run < present.run || (given.run === present.run && given.event <= lastEvent))
  const start = isResumed ? given : { ...present, hasApproval: false }
  const session = presentSession(row)
  const frames = [formatEvent('ready', { session, isResumed }, formatPosition(start))]
  const swept = await findSwept(ctx.sql, row.orgId, id, start)
  const position = swept ? { ...start, event: swept.lastSeq, hasApproval: false } : start
  if (swept) {
    const { runId, lastSeq, end } = swept
    const finished = { runId, seq: lastSeq, type: 'run.finished', data: end }
    frames.push(formatEvent('run', finished, formatPosition(position)))
  }
  return { cursor: { position, state: '', shown: shownOf(session) }, frames }
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

/** The request was authorized before the stream joined its topic; the credential may have been revoked since. */
async function requireAccess(ctx: Context, sessionId: string): Promise<SessionRow> {
  if (!(await isCredentialValid(ctx.sql, ctx.caller, ctx.now())))
    throw unauthorized('Your session or API key is no longer valid')
  return findSession(ctx, sessionId)
}
