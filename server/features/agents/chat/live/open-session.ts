import { Readable } from 'node:stream'
import type { sessions } from '../../../../../contract/agents/sessions.ts'
import type { InputOf, OutputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { ApiError, notFound, raise, unauthorized } from '../../../../errors.ts'
import { formatEvent } from '../../../../streams/sse-connection.ts'
import { isCredentialValid } from '../../../accounts/accounts/accounts.ts'
import { findSession, presentSession, type SessionRow } from '../../conversations/conversations.ts'
import { formatUiRefusal, type RunChannel, UI_HEADERS } from '../../runs/runs.ts'
import { findCurrentPosition, findSweptRun, formatPosition, type Position } from './live-queries.ts'
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

/** With `format=ui`, the run that answers the message, as a stream. */
export async function followAnswer(
  channel: RunChannel,
  ctx: Context,
  { format }: InputOf<typeof sessions.send>,
  { run }: OutputOf<typeof sessions.send>,
) {
  if (format !== 'ui') return null
  const content = await channel.followUi(ctx, run.id).catch((error: unknown) => {
    // The message is sent: an error response would make the client send it again.
    if (error instanceof ApiError) return Readable.from([formatUiRefusal(run.id, error.message)])
    throw error
  })
  return { content, headers: UI_HEADERS }
}
