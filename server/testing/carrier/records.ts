import { randomHex } from '../../security/random.ts'

/** A conformance test compares these with Twilio's package types. */

export interface NumberRecord {
  account_sid: string
  address_sid: string | null
  address_requirements: 'none'
  api_version: string
  beta: boolean
  capabilities: { voice: boolean; sms: boolean; mms: boolean; fax: boolean }
  date_created: string
  date_updated: string
  friendly_name: string
  identity_sid: string | null
  phone_number: string
  origin: string
  sid: string
  sms_application_sid: string | null
  sms_fallback_method: string | null
  sms_fallback_url: string | null
  sms_method: string | null
  sms_url: string | null
  status_callback: string | null
  status_callback_method: string | null
  trunk_sid: string | null
  uri: string
  voice_receive_mode: 'voice' | 'fax'
  voice_application_sid: string | null
  voice_caller_id_lookup: boolean
  voice_fallback_method: string | null
  voice_fallback_url: string | null
  voice_method: string | null
  voice_url: string | null
  emergency_status: 'Active' | 'Inactive'
  emergency_address_sid: string | null
  emergency_address_status: 'registered' | 'unregistered'
  bundle_sid: string | null
  status: string
  type: string
}

export interface CallResource {
  sid: string
  date_created: string | null
  date_updated: string | null
  parent_call_sid: string | null
  account_sid: string
  to: string
  to_formatted: string
  from: string
  from_formatted: string
  phone_number_sid: string | null
  status: CallStatus
  start_time: string | null
  end_time: string | null
  duration: string | null
  price: string | null
  price_unit: string
  direction: string
  answered_by: string | null
  api_version: string
  forwarded_from: string | null
  group_sid: string | null
  caller_name: string | null
  queue_time: string
  trunk_sid: string | null
  uri: string
  subresource_uris: Record<string, string>
}

type CallStatus =
  | 'queued'
  | 'ringing'
  | 'in-progress'
  | 'completed'
  | 'busy'
  | 'failed'
  | 'no-answer'
  | 'canceled'

export interface MessageResource {
  body: string
  num_segments: string
  direction: 'inbound' | 'outbound-api' | 'outbound-call' | 'outbound-reply'
  from: string
  to: string
  date_updated: string | null
  price: string | null
  error_message: string | null
  uri: string
  account_sid: string
  num_media: string
  status: MessageStatus
  messaging_service_sid: string | null
  sid: string
  date_sent: string | null
  date_created: string | null
  error_code: number | null
  price_unit: string
  api_version: string
  subresource_uris: Record<string, string>
}

type MessageStatus =
  | 'queued'
  | 'sending'
  | 'sent'
  | 'failed'
  | 'delivered'
  | 'undelivered'
  | 'receiving'
  | 'received'
  | 'accepted'
  | 'scheduled'
  | 'read'
  | 'partially_delivered'
  | 'canceled'

export interface RecordingResource {
  account_sid: string
  api_version: string
  call_sid: string
  conference_sid: string | null
  date_created: string
  date_updated: string
  start_time: string
  duration: string
  sid: string
  price: string | null
  price_unit: string
  status: 'completed'
  channels: number
  source: 'RecordVerb'
  error_code: number | null
  uri: string
  encryption_details: unknown
  subresource_uris: Record<string, string>
  media_url: string
}

export interface Account {
  sid: string
  token: string
}

export type CallRecord = { resource: CallResource; form: URLSearchParams; sequence: number }
export type MessageRecord = { resource: MessageResource; form: URLSearchParams }
export interface Content {
  contentType: string
  bytes: Uint8Array
  /** `content-length`, if it differs from `bytes`. */
  length?: number
}

export const newSid = (prefix: string) => `${prefix}${randomHex(16)}`

const DATE = 'Mon, 16 Nov 2026 12:00:00 +0000'
const VERSION = '2010-04-01'
const uriOf = (account: string, path: string) => `/${VERSION}/Accounts/${account}/${path}.json`

export function newNumber(account: string, e164: string, fields: Partial<NumberRecord> = {}): NumberRecord {
  const sid = newSid('PN')
  return {
    account_sid: account,
    address_sid: null,
    address_requirements: 'none',
    api_version: VERSION,
    beta: false,
    capabilities: { voice: true, sms: true, mms: true, fax: false },
    date_created: DATE,
    date_updated: DATE,
    friendly_name: e164,
    identity_sid: null,
    phone_number: e164,
    origin: 'twilio',
    sid,
    sms_application_sid: '',
    sms_fallback_method: 'POST',
    sms_fallback_url: '',
    sms_method: 'POST',
    sms_url: '',
    status_callback: '',
    status_callback_method: 'POST',
    trunk_sid: null,
    uri: uriOf(account, `IncomingPhoneNumbers/${sid}`),
    voice_receive_mode: 'voice',
    voice_application_sid: '',
    voice_caller_id_lookup: false,
    voice_fallback_method: 'POST',
    voice_fallback_url: '',
    voice_method: 'POST',
    voice_url: '',
    emergency_status: 'Inactive',
    emergency_address_sid: null,
    emergency_address_status: 'unregistered',
    bundle_sid: null,
    status: 'in-use',
    type: 'local',
    ...fields,
  }
}

export function newCall(
  account: string,
  fields: Pick<CallResource, 'from' | 'to' | 'direction'> & Partial<CallResource>,
): CallResource {
  const sid = newSid('CA')
  return {
    sid,
    date_created: null,
    date_updated: null,
    parent_call_sid: null,
    account_sid: account,
    to_formatted: fields.to,
    from_formatted: fields.from,
    phone_number_sid: null,
    status: 'queued',
    start_time: null,
    end_time: null,
    duration: null,
    price: null,
    price_unit: 'USD',
    answered_by: null,
    api_version: VERSION,
    forwarded_from: null,
    group_sid: null,
    caller_name: null,
    queue_time: '0',
    trunk_sid: null,
    uri: uriOf(account, `Calls/${sid}`),
    subresource_uris: { recordings: uriOf(account, `Calls/${sid}/Recordings`) },
    ...fields,
  }
}

export function newMessage(
  account: string,
  fields: Pick<MessageResource, 'from' | 'to'> & Partial<MessageResource>,
): MessageResource {
  const sid = newSid('SM')
  return {
    body: '',
    num_segments: '1',
    direction: 'outbound-api',
    date_updated: DATE,
    price: null,
    error_message: null,
    uri: uriOf(account, `Messages/${sid}`),
    account_sid: account,
    num_media: '0',
    status: 'queued',
    messaging_service_sid: null,
    sid,
    date_sent: null,
    date_created: DATE,
    error_code: null,
    price_unit: 'USD',
    api_version: VERSION,
    subresource_uris: { media: uriOf(account, `Messages/${sid}/Media`) },
    ...fields,
  }
}

export function newRecording(account: string, callSid: string, seconds: number): RecordingResource {
  const sid = newSid('RE')
  return {
    account_sid: account,
    api_version: VERSION,
    call_sid: callSid,
    conference_sid: null,
    date_created: DATE,
    date_updated: DATE,
    start_time: DATE,
    duration: String(seconds),
    sid,
    price: null,
    price_unit: 'USD',
    status: 'completed',
    channels: 1,
    source: 'RecordVerb',
    error_code: null,
    uri: uriOf(account, `Recordings/${sid}`),
    encryption_details: null,
    subresource_uris: {},
    media_url: `https://api.twilio.com/${VERSION}/Accounts/${account}/Recordings/${sid}`,
  }
}
