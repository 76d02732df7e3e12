import { sms as contract } from '../../../../contract/telephony/sms.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { readConversations, resumeConversation } from './conversations.ts'
import { readMessage, readMessages } from './messages.ts'
import { addOptOut, readOptOuts, removeOptOut } from './opt-outs.ts'
import { concludeSmsRun } from './receive/conclude-run.ts'
import { startReceivedWorker } from './receive/handle-conversation.ts'
import { releaseOrphanedConversations } from './receive/queries.ts'
import { releaseOrphanedSenders } from './send/queries.ts'
import { sendSms } from './send/send.ts'
import { startSender } from './send/send-due.ts'

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
