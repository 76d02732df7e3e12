import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { sms } from '../../../../../contract/telephony/sms.ts'
import type { Context } from '../../../../context.ts'
import { notify } from '../../../../database/transaction.ts'
import { notFound, raise, viewOnly } from '../../../../errors.ts'
import { updateResumed } from '../receive/automatic-replies.ts'
import { RECEIVED_CHANNEL } from '../receive/receive.ts'
import { findConversation } from './conversation-list-queries.ts'
import { presentConversation } from './messages.ts'
import { findNumberAccess } from './opt-out-list-queries.ts'

/** A conversation that is not paused is returned as it is. */
export const resumeConversation = (ctx: Context, pair: InputOf<typeof sms.resumeConversation>) =>
  ctx.transaction(async ({ sql, caller }) => {
    const find = async () => (await findConversation(sql, caller, pair)) ?? raise(notFound('Conversation'))
    await find()
    if ((await findNumberAccess(sql, caller, pair.numberId)) !== 'edit') throw viewOnly()
    await updateResumed(sql, caller.orgId, pair, ctx.now())
    notify(sql, RECEIVED_CHANNEL)
    return presentConversation(await find())
  })
