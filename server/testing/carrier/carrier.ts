import * as callbacks from './callbacks.ts'
import type { Failure, Fault } from './failures.ts'
import {
  type Account,
  type CallRecord,
  type Content,
  type MessageRecord,
  type NumberRecord,
  newNumber,
  newRecording,
  newSid,
} from './records.ts'
import { serveContent, serveRest } from './server.ts'
import type { State } from './state.ts'

export type ScriptedCarrier = Awaited<ReturnType<typeof startCarrier>>

interface CarrierOptions {
  /** Default: the URL itself, which is always what's signed. */
  reach?: (url: string) => string
}

/** One account, no numbers. Sends no callbacks by itself: a test sends each, in any order, any number of times. */
export async function startCarrier({ reach = (url) => url }: CarrierOptions = {}) {
  const state: State = {
    accounts: [newAccount()],
    numbers: [],
    calls: [],
    messages: [],
    recordings: [],
    media: [],
    requests: [],
    failures: [],
    contentOrigin: '',
    contentRequests: [],
  }
  const [rest, content] = await Promise.all([serveRest(state), serveContent(state)])
  state.contentOrigin = content.origin
  const send = callbacks.callbackSender(state, reach)

  return {
    ...state,
    url: rest.origin,
    account: state.accounts[0]!,
    addAccount: (): Account => {
      const account = newAccount()
      state.accounts.push(account)
      return account
    },
    addNumber: (e164: string, { account = state.accounts[0]!.sid, ...fields }: NumberFields = {}) => {
      const number = newNumber(account, e164, fields)
      state.numbers.push(number)
      return number
    },
    /** Fails the next matching request, such as `POST Calls.json`. */
    fail: (on: Failure['on'], ...faults: Fault[]) =>
      void state.failures.push(...faults.map((fault) => ({ on, fault }))),
    requestsTo: (start: string) =>
      state.requests.filter(({ method, path }) => `${method} ${path}`.startsWith(start)),
    send,
    async call(from: string, to: string) {
      const { call, callback } = callbacks.inboundCall(state, { from, to })
      return { call, callback, reply: await send(callback) }
    },
    async reportStatuses(call: CallRecord, ...statuses: string[]) {
      const replies: callbacks.CallbackReply[] = []
      for (const status of statuses) replies.push(await send(callbacks.callStatus(call, status)))
      return replies
    },
    status: callbacks.callStatus,
    callFields: callbacks.callFields,
    /** Follows TwiML, such as a verb's `action`. */
    follow: (call: CallRecord, url: string, fields: Record<string, string> = {}) =>
      send({ url, fields: { ...callbacks.callFields(call), ...fields } }),
    text: (message: Parameters<typeof callbacks.inboundSms>[1]) => callbacks.inboundSms(state, message),
    smsStatus: (message: MessageRecord, status: string, errorCode?: number) =>
      send(callbacks.smsStatus(message, status, errorCode)),
    addMedium: (account: string, medium: Content) => {
      const sid = newSid('ME')
      state.media.push({ sid, messageSid: '', account, content: medium })
      return { sid, contentType: medium.contentType }
    },
    /** A callback's `RecordingUrl` leads here. */
    addRecording: (call: CallRecord, recorded: Content, seconds = 10) => {
      const resource = newRecording(call.resource.account_sid, call.resource.sid, seconds)
      state.recordings.push({ resource, content: recorded, isDeleted: false })
      return {
        RecordingSid: resource.sid,
        RecordingUrl: resource.media_url!,
        RecordingDuration: String(seconds),
        RecordingStatus: 'completed',
      }
    },
    async close() {
      await Promise.all([rest.close(), content.close()])
    },
  }
}

type NumberFields = Partial<NumberRecord> & { account?: string }

const newAccount = (): Account => ({ sid: newSid('AC'), token: newSid('') })
