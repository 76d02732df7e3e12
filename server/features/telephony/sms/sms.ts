import { sms as contract } from '../../../../contract/telephony/sms.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { concludeSmsRun } from './receive/conclude-run.ts'
import { releaseOrphanedConversations } from './receive/conversation-queries.ts'
import { startReceivedWorker } from './receive/worker.ts'
import { sendSms } from './send/send.ts'
import { releaseOrphanedSenders } from './send/sender-queries.ts'
import { startSender } from './send/worker.ts'
import { readConversations, readMessage, readMessages } from './view/messages.ts'
import { addOptOut, readOptOuts, removeOptOut } from './view/opt-outs.ts'
import { resumeConversation } from './view/resume.ts'

export const smsPart = (options: TelephonyOptions): Part => ({
  routes: [
    handle(contract.list, readMessages),
    handle(contract.conversations, readConversations),
    handle(contract.resumeConversation, resumeConversation),
    handle(contract.get, readMessage),
    handle(contract.send, sendSms),
    handle(contract.optOuts, readOptOuts),
    handle(contract.addOptOut, addOptOut),
    handle(contract.removeOptOut, removeOptOut),
  ],
  runEnded: concludeSmsRun,
  start: async (runtime) => {
    const workers = [await startSender(options, runtime), await startReceivedWorker(options, runtime)]
    return { stop: async () => void (await Promise.all(workers.map((worker) => worker.stop()))) }
  },
  recover: async (pool, now) => {
    await releaseOrphanedSenders(pool, now)
    await releaseOrphanedConversations(pool, now)
  },
})
