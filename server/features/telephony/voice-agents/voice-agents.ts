import { voiceAgents as contract } from '../../../../contract/telephony/voice-agents.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { notBuilt } from '../not-built.ts'

export const voiceAgentsPart = (_options: TelephonyOptions): Part => ({
  routes: [
    handle(contract.list, notBuilt),
    handle(contract.create, notBuilt),
    handle(contract.rotate, notBuilt),
    handle(contract.remove, notBuilt),
    handle(contract.openaiWebhook, notBuilt),
    handle(contract.elevenlabsWebhook, notBuilt),
    handle(contract.elevenlabsInitiation, notBuilt),
    handle(contract.closeConversation, notBuilt),
    handle(contract.queueAgentRun, notBuilt),
  ],
})
