import { TWILIO } from '../../../signatures/signature-schemes.ts'
import type { Carrier, CarrierResult, NumberUrls, OwnedNumber } from './carrier.ts'
import { download } from './download.ts'
import { type OpenedAccount, readCountField, readPrice, readTextField, request } from './twilio-request.ts'

type Body = Readonly<Record<string, unknown>>

/** The call is no longer in progress. */
const CALL_ENDED = '21220'

export const twilioCarrier = (account: OpenedAccount): Carrier => ({
  slug: 'twilio',
  accountId: account.target.credentials.accountSid ?? '',
  schemes: [TWILIO],

  findNumber: (e164) =>
    request(
      account,
      { method: 'GET', path: 'IncomingPhoneNumbers.json', query: { PhoneNumber: e164 } },
      ({ incoming_phone_numbers: found }) =>
        // Twilio's filter also finds numbers that contain this one.
        listOf(found)
          .map(ownedNumber)
          .find((number) => number.e164 === e164 && number.providerId !== '') ?? null,
    ),

  setUrls: (providerId, { voice, sms, status }) =>
    request(
      account,
      {
        method: 'POST',
        path: 'IncomingPhoneNumbers/{number}.json',
        ids: { number: providerId },
        form: {
          ...(voice !== undefined && { VoiceUrl: voice ?? '', VoiceMethod: 'POST' }),
          ...(sms !== undefined && { SmsUrl: sms ?? '', SmsMethod: 'POST' }),
          ...(status !== undefined && { StatusCallback: status ?? '', StatusCallbackMethod: 'POST' }),
          // Twilio ignores the URLs while one of these is set.
          ...(voice && { VoiceApplicationSid: '', TrunkSid: '' }),
          ...(sms && { SmsApplicationSid: '' }),
        },
      },
      ownedNumber,
    ),

  placeCall: ({ from, to, answer, statusUrl, timeoutSeconds, detectsMachines }) =>
    request(
      account,
      {
        method: 'POST',
        path: 'Calls.json',
        form: {
          From: from,
          To: to,
          ...('twiml' in answer ? { Twiml: answer.twiml } : { Url: answer.url, Method: 'POST' }),
          StatusCallback: statusUrl,
          StatusCallbackMethod: 'POST',
          StatusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
          Timeout: timeoutSeconds,
          MachineDetection: detectsMachines ? 'Enable' : undefined,
        },
      },
      withId,
    ).then(requireId),

  redirectCall: (providerId, twiml) =>
    request(
      account,
      { method: 'POST', path: 'Calls/{call}.json', ids: { call: providerId }, form: { Twiml: twiml } },
      ignoreBody,
    ),

  async endCall(providerId) {
    const ended = await request(
      account,
      { method: 'POST', path: 'Calls/{call}.json', ids: { call: providerId }, form: { Status: 'completed' } },
      ignoreBody,
    )
    return !ended.ok && ended.failure.code === CALL_ENDED ? { ok: true, value: null } : ended
  },

  readCall: (providerId) =>
    request(account, { method: 'GET', path: 'Calls/{call}.json', ids: { call: providerId } }, callOf).then(
      nullIfMissing,
    ),

  listCalls: ({ from, to, since }) =>
    request(
      account,
      { method: 'GET', path: 'Calls.json', query: { From: from, To: to, PageSize: 50 } },
      ({ calls }) =>
        listOf(calls)
          .filter(
            (call) => readTextField(call, 'direction') === 'outbound-api' && isCreatedSince(call, since),
          )
          .map((call) => ({ ...withId(call), ...callOf(call) }))
          .reverse(),
    ),

  sendSms: ({ from, to, body, mediaUrls, statusUrl }) =>
    request(
      account,
      {
        method: 'POST',
        path: 'Messages.json',
        form: { From: from, To: to, Body: body, MediaUrl: mediaUrls, StatusCallback: statusUrl },
      },
      (message) => ({ ...withId(message), segments: segmentsOf(message) }),
    ).then(requireId),

  readSms: (providerId) =>
    request(
      account,
      { method: 'GET', path: 'Messages/{message}.json', ids: { message: providerId } },
      (body) => ({
        status: readTextField(body, 'status') ?? '',
        errorCode: readTextField(body, 'error_code'),
        segments: segmentsOf(body),
        price: readPrice(body),
      }),
    ).then(nullIfMissing),

  listSms: ({ from, to, since }) =>
    request(
      account,
      { method: 'GET', path: 'Messages.json', query: { From: from, To: to, PageSize: 50 } },
      ({ messages }) =>
        listOf(messages)
          .filter((message) => isCreatedSince(message, since))
          .map((message) => ({
            ...withId(message),
            body: readTextField(message, 'body') ?? '',
            segments: segmentsOf(message),
          })),
    ),

  download: (url) => download(account, url),

  deleteRecording: (providerId) =>
    request(
      account,
      { method: 'DELETE', path: 'Recordings/{recording}.json', ids: { recording: providerId } },
      ignoreBody,
    ).then((deleted) => (isMissing(deleted) ? { ok: true, value: null } : deleted)),
})

const ignoreBody = () => null
const listOf = (items: unknown): Body[] => (Array.isArray(items) ? (items as Body[]) : [])
/** Twilio sets a record's time some seconds after making it. */
const isCreatedSince = (record: Body, since: Date) => {
  const created = readTextField(record, 'date_created')
  return created === null || Date.parse(created) >= since.getTime()
}
const callOf = (body: Body) => ({
  status: readTextField(body, 'status') ?? '',
  durationSeconds: readCountField(body, 'duration'),
  price: readPrice(body),
})
const withId = (body: Body) => ({ providerId: readTextField(body, 'sid') ?? '' })
/** Twilio reports 0 until it has split the message. */
const segmentsOf = (body: Body) => readCountField(body, 'num_segments') || null

const isMissing = (result: CarrierResult<unknown>) => !result.ok && result.failure.status === 404
const nullIfMissing = <T>(result: CarrierResult<T>): CarrierResult<T | null> =>
  isMissing(result) ? { ok: true, value: null } : result

/** Without an id, a successful request's status can't be read later. */
function requireId<T extends { providerId: string }>(result: CarrierResult<T>): CarrierResult<T> {
  if (!result.ok || result.value.providerId !== '') return result
  const failure = { status: null, code: null, message: 'Twilio returned no id', isRefused: false }
  return { ok: false, failure }
}

function ownedNumber(number: Body): OwnedNumber {
  const { voice, sms, mms } = (number.capabilities ?? {}) as Record<string, unknown>
  return {
    providerId: readTextField(number, 'sid') ?? '',
    e164: readTextField(number, 'phone_number') ?? '',
    capabilities: { voice: voice === true, sms: sms === true, mms: mms === true },
    urls: urlsOf(number),
  }
}

/** An application or trunk replaces the number's URLs. */
function urlsOf(number: Body): NumberUrls {
  const trunk = readTextField(number, 'trunk_sid')
  const application = readTextField(number, 'voice_application_sid')
  const smsApplication = readTextField(number, 'sms_application_sid')
  const replacement = trunk ? `SIP trunk ${trunk}` : application && `TwiML application ${application}`
  return {
    voice: replacement ?? readTextField(number, 'voice_url'),
    sms: smsApplication ? `TwiML application ${smsApplication}` : readTextField(number, 'sms_url'),
    // An application has its own status callback.
    status: replacement ?? readTextField(number, 'status_callback'),
  }
}
