import { dictionary } from '../../../../../contract/dictionary.ts'
import type { CallStatus } from '../../../../../contract/telephony/telephony-options.ts'
import type { PublicContext } from '../../../../context.ts'
import { newId } from '../../../../security/ids.ts'
import { advanceCall, recordEntry } from '../../calls/record.ts'
import { findNumberId, openVoiceCall } from '../call-queries.ts'
import { publishCall } from '../publish-call.ts'
import type { VoiceAgentRow } from '../voice-agent-queries.ts'
import { type Conversation, partiesOf } from './conversation.ts'

/** Applies the report that a call could not be placed, once per conversation. */
export const applyFailure = (ctx: PublicContext, voiceAgent: VoiceAgentRow, conversation: Conversation) =>
  ctx.transaction(async (inside) => {
    const { orgId } = voiceAgent
    const { sql } = inside
    const at = inside.now()
    // Only calls that the provider places can fail in this way.
    const { ownNumber, ...parties } = partiesOf(conversation)
    const opened = await openVoiceCall(sql, orgId, voiceAgent, {
      ...{ id: newId(), providerId: conversation.conversation_id, status: 'ringing', startedAt: at },
      ...{ ...parties, direction: parties.direction ?? 'outbound' },
      numberId: ownNumber === undefined ? null : await findNumberId(sql, orgId, ownNumber),
    })
    if (!opened) return
    const { call } = opened
    const reason = conversation.failure_reason || 'unknown'
    const isFirst = await recordEntry(sql, orgId, call.id, {
      ...{ key: 'elevenlabs:call_initiation_failure', at, type: 'failed', detail: reason },
    })
    if (!isFirst) return
    const { status, endReason } = END_BY_REASON[reason.toLowerCase().replaceAll(/[ _]/g, '-')] ?? FAILED
    const { isEnd } = await advanceCall(sql, orgId, call.id, { status, at, endReason })
    if (opened.isNew) await publishCall(inside, orgId, 'call.started', call, 'ringing')
    if (isEnd) await publishCall(inside, orgId, 'call.ended', call, status)
  })

interface End {
  status: CallStatus
  endReason: 'busy' | 'no_answer' | 'carrier_failed'
}

const FAILED: End = { status: 'failed', endReason: 'carrier_failed' }
const END_BY_REASON: Readonly<Record<string, End | undefined>> = dictionary({
  busy: { status: 'busy', endReason: 'busy' },
  'no-answer': { status: 'no_answer', endReason: 'no_answer' },
})
