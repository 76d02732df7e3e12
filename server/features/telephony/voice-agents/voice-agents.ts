import { voiceAgents as contract } from '../../../../contract/telephony/voice-agents.ts'
import { handle } from '../../../endpoint/route.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { closeConversation } from './elevenlabs/close-conversation.ts'
import { describeCall } from './elevenlabs/initiation.ts'
import { queueAgentRun } from './elevenlabs/queue-agent-run.ts'
import { receivePostCall } from './elevenlabs/webhook.ts'
import { expireCall } from './expire-call.ts'
import { callExpires, callUnknown, callWaits, resultsDue } from './jobs.ts'
import { createAgent, listAgents, removeAgent, rotateSecret } from './manage.ts'
import { answerCall, rejectUnknown } from './openai/answer-call.ts'
import { startWatchingCalls } from './openai/watch-calls.ts'
import { receiveIncoming } from './openai/webhook.ts'
import { enqueueResults, reportResults } from './report-results.ts'

/** Voices of OpenAI and ElevenLabs that speak for agents: their calls are sessions too. */
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
