import { dictionary } from '../../../../contract/dictionary.ts'
import type { HandleCallback } from '../callbacks/callback.ts'
import { recordLegCost } from '../costs/estimate-cost.ts'
import { changeTransfer } from './change-transfer.ts'
import { findNamedCall } from './named-call.ts'
import type { Miss } from './states.ts'

/** The statuses that end a leg. A target that hangs up before it takes the call has refused it. */
const MISS_BY_STATUS: Readonly<Record<string, Miss>> = dictionary({
  busy: 'busy',
  'no-answer': 'no_answer',
  canceled: 'no_answer',
  failed: 'failed',
  completed: 'refused',
})

/** The status of the leg of a target. */
export const receiveTargetStatus: HandleCallback = async (ctx, number, { query, fields }) => {
  const { dial = '' } = query
  const { CallSid: leg = '', CallStatus = '', To: to = '', CallDuration } = fields
  const miss = MISS_BY_STATUS[CallStatus]
  const call = miss === undefined ? null : await findNamedCall(ctx.sql, number, query)
  if (!call || miss === undefined) return null
  const { orgId, id: numberId, ownerId } = number
  const now = ctx.now()
  const event = { type: 'target_ended', dial, leg, miss } as const
  await changeTransfer(ctx.sql, orgId, call.id, event, now)
  const payer = { projectId: call.projectId, agentId: call.agentId, userId: call.ownerId ?? ownerId }
  const seconds = Number(CallDuration ?? 0)
  if (seconds > 0)
    await recordLegCost(
      ctx.sql,
      orgId,
      { ...payer, callId: call.id, providerId: leg, direction: 'outbound', numberId, to, seconds },
      now,
    )
  return null
}
