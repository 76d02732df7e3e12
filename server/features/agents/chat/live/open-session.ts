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
import { serializeShownFields } from './read-session.ts'

/**
 * Reads the current position before the session, so that a run starting or ending in between still sends its events.
 * Otherwise the session could name an active run that never ends for the client.
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
  return { cursor: { position, state: '', shown: serializeShownFields(session) }, frames }
}

/** The credential may have been revoked since the request was authorized. */
export async function requireAccess(ctx: Context, sessionId: string): Promise<SessionRow> {
  if (!(await isCredentialValid(ctx.sql, ctx.caller, ctx.now())))
    throw unauthorized('Your session or API key is no longer valid')
  return findSession(ctx, sessionId)
}

/** With `format=ui`, streams the run that answers the message. */
export async function followAnswer(
  channel: RunChannel,
  ctx: Context,
  { format }: InputOf<typeof sessions.send>,
  { run }: OutputOf<typeof sessions.send>,
) {
  if (format !== 'ui') return null
  const content = await channel.followUi(ctx, run.id).catch((error: unknown) => {
    // The message has been sent, and an error would make the client send it again.
    if (error instanceof ApiError) return Readable.from([formatUiRefusal(run.id, error.message)])
    throw error
  })
  return { content, headers: UI_HEADERS }
}
