import { voiceAgents as contract } from '../../../../contract/telephony/voice-agents.ts'
import type { JobContext } from '../../../context.ts'
import { handle } from '../../../endpoint/route.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import type { CallRow } from '../calls/call.ts'
import { findCall } from '../calls/queries.ts'
import { advanceCall, recordEntry } from '../calls/record.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { closeConversation, describeCall, queueAgentRun } from './elevenlabs/tools.ts'
import { receivePostCall } from './elevenlabs/webhook.ts'
import { createAgent, listAgents, removeAgent, rotateSecret } from './manage.ts'
import { answerCall, rejectUnknown } from './openai/answer-call.ts'
import { expireOpenAi } from './openai/control-call.ts'
import { startWatchingCalls } from './openai/watch-calls.ts'
import { receiveIncoming } from './openai/webhook.ts'
import { enqueueResults, reportResults } from './tasks.ts'
import { callExpires, callUnknown, callWaits, publishCall, resultsDue } from './voice-calls.ts'

/** OpenAI and ElevenLabs voices for agents. Their calls are sessions too. */
export const voiceAgentsPart = (options: TelephonyOptions): Part => ({
  routes: [
    handle(contract.list, listAgents(options)),
    handle(contract.create, createAgent(options)),
    handle(contract.rotate, rotateSecret),
    handle(contract.remove, removeAgent),
    handle(contract.openaiWebhook, receiveIncoming(options)),
    handle(contract.elevenlabsWebhook, receivePostCall(options)),
    handle(contract.elevenlabsInitiation, describeCall),
    handle(contract.closeConversation, closeConversation),
    handle(contract.queueAgentRun, queueAgentRun(options)),
  ],
  jobs: [
    onJob(callWaits, answerCall(options)),
    onJob(callUnknown, rejectUnknown(options)),
    onJob(callExpires, expireCall(options)),
    onJob(resultsDue, reportResults),
  ],
  start: (runtime) => startWatchingCalls(options, runtime),
  runEnded: enqueueResults,
})

const expireCall =
  (options: TelephonyOptions) =>
  async (
    ctx: JobContext<'outbound'>,
    { orgId, callId }: { orgId: string; callId: string },
  ): Promise<void> => {
    const call = await findCall(ctx.sql, orgId, callId)
    if (!call || call.endedAt !== null) return
    if (call.provider === 'openai') await expireOpenAi(options, ctx, orgId, call)
    else await endUnreported(ctx, orgId, call)
  }

const endUnreported = (ctx: JobContext, orgId: string, call: CallRow) =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const at = inside.now()
    const { isEnd } = await advanceCall(sql, orgId, call.id, {
      ...{ status: 'completed', at, endReason: 'connection_lost' },
    })
    if (!isEnd) return
    await recordEntry(sql, orgId, call.id, { at, type: 'completed', detail: UNREPORTED })
    await publishCall(inside, orgId, 'call.ended', call, 'completed')
    await inside.enqueue(resultsDue, { orgId, callId: call.id })
  })

const UNREPORTED = 'The provider did not report that the call ended.'
