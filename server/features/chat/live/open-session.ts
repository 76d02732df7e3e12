import type { Context } from '../../../context.ts'
import { notFound, raise, unauthorized } from '../../../errors.ts'
import { formatEvent } from '../../../streams/sse-format.ts'
import { isCredentialValid } from '../../accounts/accounts.ts'
import { findSession, presentSession, type SessionRow } from '../../sessions/sessions.ts'
import { findCurrentPosition, findSweptRun } from './live-queries.ts'
import { formatPosition, type Position } from './position.ts'
import { shownOf } from './read-session.ts'

/**
 * Continues after a position, unless the session has not reached it. The position is read before the session: a run
 * that ends or starts between both then sends its events, while a run that only the session named as active would never
 * end.
 */
export async function openSession(ctx: Context, id: string, given: Position | undefined) {
  const found = await findCurrentPosition(ctx.sql, ctx.caller.orgId, id)
  const row = await requireAccess(ctx, id)
  const { lastEvent, ...present } = found ?? raise(notFound('Session'))
  const isResumed =
    given !== undefined &&
    given.message <= present.message &&
    (given.run < present.run || (given.run === present.run && given.event <= lastEvent))
  const start = isResumed ? given : { ...present, hasApproval: false }
  const session = presentSession(row)
  const frames = [formatEvent('ready', { session, isResumed }, formatPosition(start))]
  const swept = await findSweptRun(ctx.sql, row.orgId, id, start)
  const position = swept ? { ...start, event: swept.lastSeq, hasApproval: false } : start
  if (swept) {
    const { runId, lastSeq, end } = swept
    const finished = { runId, seq: lastSeq, type: 'run.finished', data: end }
    frames.push(formatEvent('run', finished, formatPosition(position)))
  }
  return { cursor: { position, state: '', shown: shownOf(session) }, frames }
}

/** The request was authorized before the stream joined its topic; the credential may have been revoked since. */
export async function requireAccess(ctx: Context, sessionId: string): Promise<SessionRow> {
  if (!(await isCredentialValid(ctx.sql, ctx.caller, ctx.now())))
    throw unauthorized('Your session or API key is no longer valid')
  return findSession(ctx, sessionId)
}
