import type { InputOf } from '../../../../../contract/endpoint.ts'
import {
  ClosedConversation,
  type voiceAgents as contract,
} from '../../../../../contract/telephony/voice-agents.ts'
import type { PublicContext } from '../../../../context.ts'
import { newId } from '../../../../security/ids.ts'
import { advanceCall, recordEntry } from '../../calls/record.ts'
import { authenticateTool } from '../authenticate-tool.ts'
import { openVoiceCall, updateVoiceCall } from '../call-queries.ts'
import { resultsDue } from '../jobs.ts'
import { publishCall } from '../publish-call.ts'
import { takeResults } from '../results.ts'
import { SAY, withResults } from './spoken.ts'

/** The voice agent ends a conversation. May be repeated. */
export async function closeConversation(
  ctx: PublicContext,
  input: InputOf<typeof contract.closeConversation>,
) {
  const { ctx: tenant, voiceAgent, body } = await authenticateTool(ctx, input)
  const parsed = ClosedConversation.safeParse(body)
  if (!parsed.success) return { result: 'invalid', say: SAY.unreadable }
  const { conversation_id: providerId, reason, summary } = parsed.data
  const { orgId } = voiceAgent
  return tenant.transaction(async (inside) => {
    const { sql } = inside
    const at = inside.now()
    const opened = await openVoiceCall(sql, orgId, voiceAgent, {
      ...{ id: newId(), providerId, numberId: null, status: 'in_progress', startedAt: at },
    })
    if (!opened) return { result: 'refused', say: SAY.foreign }
    const { call } = opened
    await recordEntry(sql, orgId, call.id, {
      ...{ key: 'elevenlabs:closed', at, type: 'conversation_closed', detail: reason ?? null },
    })
    const { isEnd } = await advanceCall(sql, orgId, call.id, {
      ...{ status: 'completed', at, endReason: 'agent_ended' },
    })
    await updateVoiceCall(sql, orgId, call.id, { summary })
    if (opened.isNew) await publishCall(inside, orgId, 'call.started', call, 'in_progress')
    if (isEnd) await publishCall(inside, orgId, 'call.ended', call, 'completed')
    // Results that the caller requested by text message follow later.
    const results = await takeResults(inside, orgId, call.id, ({ bySms }) => !bySms)
    await inside.enqueue(resultsDue, { orgId, callId: call.id })
    return { result: 'closed', say: withResults(SAY.closed, results) }
  })
}
