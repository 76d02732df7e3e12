import type { sessions } from '../../../../../contract/agents/sessions.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { auditName, recordAudit } from '../../../../audit/record.ts'
import type { Context } from '../../../../context.ts'
import { badField, conflict, notFound, raise } from '../../../../errors.ts'
import { publish } from '../../../../events/publish.ts'
import {
  countParticipants,
  deleteParticipant,
  findSession,
  findViewer,
  insertParticipant,
  lockSession,
  presentSession,
  type SessionRow,
} from '../../conversations/conversations.ts'

const PARTICIPANTS_MAX = 50

/** Locks the session, so that concurrent callers can't exceed the limit. */
export const addParticipant = (
  ctx: Context<'mail'>,
  { id, userId }: InputOf<typeof sessions.addParticipant>,
) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    const session = await findSession(inside, id, 'edit')
    const { orgId, projectId } = session
    await lockSession(sql, orgId, id)
    const viewer =
      (await findViewer(sql, orgId, projectId, userId)) ??
      raise(badField('body.userId', 'must be a member who can see the project'))
    if (await insertParticipant(sql, orgId, id, { userId, by: caller.userId, now: ctx.now() })) {
      if ((await countParticipants(sql, orgId, id)) > PARTICIPANTS_MAX)
        throw conflict(`A session has at most ${PARTICIPANTS_MAX} participants: remove one first`)
      await record(inside, 'added', session, userId, viewer)
    }
    const emailed = ctx.mail.canSend && viewer.isVerified
    return { ...presentSession(await findSession(inside, id)), emailed }
  })

/** Participants who can only view the project can still leave. */
export const removeParticipant = (ctx: Context, { id, userId }: InputOf<typeof sessions.removeParticipant>) =>
  ctx.transaction(async (inside) => {
    const session = await findSession(inside, id, userId === ctx.caller.userId ? 'view' : 'edit')
    const { orgId } = session
    await lockSession(inside.sql, orgId, id)
    const removed =
      (await deleteParticipant(inside.sql, orgId, id, { userId, now: ctx.now() })) ??
      raise(notFound('Participant'))
    await record(inside, 'removed', session, userId, removed)
    return presentSession(await findSession(inside, id))
  })

async function record(
  ctx: Context,
  change: 'added' | 'removed',
  { id: sessionId, projectId }: SessionRow,
  userId: string,
  person: { name: string; email: string },
): Promise<void> {
  await recordAudit(ctx, {
    action: `agent-session.participant-${change}`,
    by: ctx.caller,
    target: sessionId,
    details: auditName(person),
  })
  await publish(ctx, {
    type: `session.participant.${change}`,
    data: { sessionId, projectId, userId, by: ctx.caller.userId },
  })
}
