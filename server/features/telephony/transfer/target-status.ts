import type { HandleCallback } from '../callbacks/callback.ts'
import { recordLegCost } from '../costs/estimate-cost.ts'
import { changeTransfer } from './change-transfer.ts'
import type { Miss } from './states.ts'

/** The statuses that end a leg. A target that hangs up before it takes the call has refused it. */
const ENDS: Readonly<Record<string, Miss>> = {
  busy: 'busy',
  'no-answer': 'no_answer',
  canceled: 'no_answer',
  failed: 'failed',
  completed: 'refused',
}

/** The status of the leg of a target. */
export const receiveTargetStatus: HandleCallback = async (ctx, number, { query, fields }) => {
  const { call: callId = '', dial = '' } = query
  const { CallSid: leg = '', CallStatus = '', To: to = '', CallDuration } = fields
  const miss = ENDS[CallStatus]
  if (miss === undefined) return null
  const { orgId, id: numberId, ownerId } = number
  const now = ctx.now()
  const event = { type: 'target_ended', dial, leg, miss } as const
  const changed = await changeTransfer(ctx.sql, orgId, callId, event, now)
  if (changed === null) return null
  const { projectId, agentId, ownerId: callOwner } = changed.call
  const payer = { projectId, agentId, userId: callOwner ?? ownerId }
  const seconds = Number(CallDuration ?? 0)
  if (seconds > 0)
    await recordLegCost(
      ctx.sql,
      orgId,
      { ...payer, callId, providerId: leg, direction: 'outbound', numberId, to, seconds },
      now,
    )
  return null
}
