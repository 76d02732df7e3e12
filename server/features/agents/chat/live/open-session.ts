import type { Context } from '../../../../context.ts'
import { notFound, raise, unauthorized } from '../../../../errors.ts'
import { formatEvent } from '../../../../streams/sse-connection.ts'
import { isCredentialValid } from '../../../accounts/accounts/accounts.ts'
import { findSession, presentSession, type SessionRow } from '../../conversations/conversations.ts'
import { findCurrentPosition, findSweptRun } from './live-queries.ts'
import { formatPosition, type Position } from './position.ts'
import { shownFieldsOf } from './read-session.ts'

/**
 * Continues after a position, unless the session has not reached it. The current position is read before the session,
 * so that a run that starts or ends between the two reads sends its events. In the other order, the session could name
 * an active run whose end the client never receives.
 */
export async function openSession(ctx: Context, id: string, requested: Position | undefined) {
  const currentPosition = await findCurrentPosition(ctx.sql, ctx.caller.orgId, id)
  const row = await requireAccess(ctx, id)
  const { lastEvent, ...present } = currentPosition ?? raise(notFound('Session'))
  const isResumed =
    requested !== undefined &&
    requested.message <= present.message &&
    (requested.run < present.run || (requested.run === present.run && requested.event <= lastEvent))
  const start = isResumed ? requested : { ...present, hasApproval: false }
  const session = presentSession(row)
  const frames = [formatEvent('ready', { session, isResumed }, formatPosition(start))]
  const swept = await findSweptRun(ctx.sql, row.orgId, id, start)
  const position = swept ? { ...start, event: swept.lastSeq, hasApproval: false } : start
  if (swept) {
    const { runId, lastSeq, end } = swept
    const finished = { runId, seq: lastSeq, type: 'run.finished', data: end }
    frames.push(formatEvent('run', finished, formatPosition(position)))
  }
  return { cursor: { position, state: '', shown: shownFieldsOf(session) }, frames }
}

/** The request was authorized before the stream joined its topic; the credential may have been revoked since. */
export async function requireAccess(ctx: Context, sessionId: string): Promise<SessionRow> {
  if (!(await isCredentialValid(ctx.sql, ctx.caller, ctx.now())))
    throw unauthorized('Your session or API key is no longer valid')
  return findSession(ctx, sessionId)
}
