import type { sessions } from '../../../../../contract/agents/sessions.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { notify } from '../../../../database/transaction.ts'
import { findSession, SESSION_CHANNEL } from '../../conversations/conversations.ts'

/** A report reaches the streams of every process, and is not stored. */
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
