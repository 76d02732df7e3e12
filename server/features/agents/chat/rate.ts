import type { sessions } from '../../../../contract/agents/sessions.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { conflict, notFound, raise } from '../../../errors.ts'
import {
  deleteRating,
  findMessage,
  findSession,
  presentMessage,
  upsertRating,
} from '../conversations/conversations.ts'

interface RatedMessage {
  id: string
  messageId: string
}

/** Anyone who can read the answer can rate it. */
export const rate = (ctx: Context, { id, messageId, rating, comment }: InputOf<typeof sessions.rate>) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    const { role } = await requireMessage(inside, { id, messageId })
    if (role !== 'assistant') throw conflict('You can only rate an agent’s messages')
    await upsertRating(sql, caller.orgId, {
      messageId,
      userId: caller.userId,
      rating,
      comment: comment ?? null,
      now: ctx.now(),
    })
    return presentMessage(await requireMessage(inside, { id, messageId }))
  })

export const unrate = (ctx: Context, message: InputOf<typeof sessions.unrate>) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    await requireMessage(inside, message)
    await deleteRating(sql, caller.orgId, { messageId: message.messageId, userId: caller.userId })
    return presentMessage(await requireMessage(inside, message))
  })

async function requireMessage(ctx: Context, { id, messageId }: RatedMessage) {
  const { sql, caller } = ctx
  await findSession(ctx, id)
  const found = { sessionId: id, id: messageId, readerId: caller.userId }
  return (await findMessage(sql, caller.orgId, found)) ?? raise(notFound('Message'))
}
