import { signAsTwilio } from '../fakes/sender-signatures.ts'
import { type CallRecord, type MessageRecord, newCall, newMessage, newSid } from './records.ts'
import type { State } from './state.ts'

export interface Callback {
  url: string
  fields: Record<string, string>
}

export interface CallbackOptions {
  headers?: Record<string, string>
  token?: string
}

export interface CallbackReply {
  status: number
  contentType: string | null
  text: string
}

export type SendCallback = (callback: Callback, options?: CallbackOptions) => Promise<CallbackReply>

/** Signed over the URL, like Twilio. `reach` maps it to the URL requested. */
export const callbackSender =
  (state: State, reach: (url: string) => string): SendCallback =>
  async ({ url, fields }, { headers = {}, token } = {}) => {
    const account = state.accounts.find(({ sid }) => sid === fields.AccountSid)
    const signature = signAsTwilio(token ?? account?.token ?? '', url, fields)
    const response = await fetch(reach(url), {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        'x-twilio-signature': signature,
        'i-twilio-idempotency-token': newSid(''),
        'user-agent': 'TwilioProxy/1.1',
        ...headers,
      },
      body: new URLSearchParams(fields).toString(),
    })
    return {
      status: response.status,
      contentType: response.headers.get('content-type'),
      text: await response.text(),
    }
  }

export function inboundCall(state: State, { from, to }: { from: string; to: string }) {
  const number = numberOf(state, to)
  const resource = newCall(number.account_sid, {
    from,
    to,
    direction: 'inbound',
    status: 'ringing',
    phone_number_sid: number.sid,
  })
  const call: CallRecord = {
    resource,
    form: new URLSearchParams({ StatusCallback: number.status_callback ?? '' }),
    sequence: 0,
  }
  state.calls.push(call)
  return { call, callback: { url: urlOf(number.voice_url, to), fields: callFields(call) } }
}

export const callFields = ({ resource }: CallRecord): Record<string, string> => ({
  AccountSid: resource.account_sid,
  ApiVersion: '2010-04-01',
  CallSid: resource.sid,
  CallStatus: resource.status,
  Called: resource.to,
  Caller: resource.from,
  Direction: resource.direction,
  From: resource.from,
  To: resource.to,
})

export function callStatus(call: CallRecord, status: string, sequence = call.sequence++): Callback {
  const { resource, form } = call
  Object.assign(resource, { status })
  const isEnd = status === 'completed'
  if (isEnd) resource.duration ??= '30'
  return {
    url: urlOf(form.get('StatusCallback'), resource.sid),
    fields: {
      ...callFields(call),
      CallStatus: status,
      CallbackSource: 'call-progress-events',
      SequenceNumber: String(sequence),
      Timestamp: 'Mon, 16 Nov 2026 12:00:00 +0000',
      ...(isEnd && { Duration: '1', CallDuration: resource.duration ?? '30' }),
    },
  }
}

interface InboundSms {
  from: string
  to: string
  body: string
  media?: readonly { sid: string; contentType: string }[]
  fields?: Record<string, string>
}

/** The same message can be sent again. */
export function inboundSms(state: State, { from, to, body, media = [], fields = {} }: InboundSms): Callback {
  const number = numberOf(state, to)
  const account = number.account_sid
  const resource = newMessage(account, { from, to, body, direction: 'inbound', status: 'received' })
  const { sid } = resource
  state.messages.push({ resource, form: new URLSearchParams() })
  for (const medium of state.media.filter((each) => media.some((one) => one.sid === each.sid)))
    medium.messageSid = sid
  const mediaFields = media.flatMap((medium, index) => [
    [
      `MediaUrl${index}`,
      `https://api.twilio.com/2010-04-01/Accounts/${account}/Messages/${sid}/Media/${medium.sid}`,
    ],
    [`MediaContentType${index}`, medium.contentType],
  ])
  return {
    url: urlOf(number.sms_url, to),
    fields: {
      AccountSid: account,
      ApiVersion: '2010-04-01',
      Body: body,
      From: from,
      MessageSid: sid,
      NumMedia: String(media.length),
      NumSegments: '1',
      SmsMessageSid: sid,
      SmsSid: sid,
      SmsStatus: 'received',
      To: to,
      ...Object.fromEntries(mediaFields),
      ...fields,
    },
  }
}

export function smsStatus({ resource, form }: MessageRecord, status: string, errorCode?: number): Callback {
  Object.assign(resource, { status, error_code: errorCode ?? null })
  return {
    url: urlOf(form.get('StatusCallback'), resource.sid),
    fields: {
      AccountSid: resource.account_sid,
      ApiVersion: '2010-04-01',
      From: resource.from,
      MessageSid: resource.sid,
      MessageStatus: status,
      SmsSid: resource.sid,
      SmsStatus: status,
      To: resource.to,
      ...(errorCode !== undefined && { ErrorCode: String(errorCode) }),
    },
  }
}

function numberOf({ numbers }: State, e164: string) {
  const found = numbers.find(({ phone_number }) => phone_number === e164)
  if (!found) throw new Error(`The scripted carrier has no number ${e164}`)
  return found
}

function urlOf(url: string | null, subject: string): string {
  if (!url) throw new Error(`${subject} has no URL at the carrier for this callback`)
  return url
}
