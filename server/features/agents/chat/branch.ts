import type { sessions } from '../../../../contract/agents/sessions.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { badField } from '../../../errors.ts'
import type { ModelChoices } from '../../../language-models/models.ts'
import { newId } from '../../../security/ids.ts'
import { copyMessages, findSession, insertSession, presentSession } from '../conversations/conversations.ts'
import { startRunWith } from './send.ts'

/** The original session stays. */
export const branch = (
  models: ModelChoices,
  ctx: Context,
  { id, seq, message }: InputOf<typeof sessions.branch>,
) =>
  ctx.transaction(async (inside) => {
    const original = await findSession(inside, id, 'edit')
    if (seq > original.messageCount + 1)
      throw badField('body.seq', `must be at most ${original.messageCount + 1}, the next message’s number`)
    const branchId = newId()
    await insertSession(inside.sql, ctx.caller.orgId, {
      id: branchId,
      projectId: original.projectId,
      agentId: original.agentId,
      model: original.model,
      title: original.title,
      origin: original.origin,
      branchedFrom: { sessionId: id, seq },
      createdBy: ctx.caller.userId,
      now: ctx.now(),
    })
    await copyMessages(inside.sql, original.orgId, id, branchId, seq)
    const session = await findSession(inside, branchId)
    const messageAndRun = message
      ? await startRunWith(models, inside, session, message)
      : { message: null, run: null }
    return { ...presentSession(await findSession(inside, branchId)), ...messageAndRun }
  })
