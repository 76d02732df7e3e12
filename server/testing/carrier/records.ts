import type { CallInstance } from 'twilio/lib/rest/api/v2010/account/call.js'
import type { IncomingPhoneNumberInstance } from 'twilio/lib/rest/api/v2010/account/incomingPhoneNumber.js'
import type { MessageInstance } from 'twilio/lib/rest/api/v2010/account/message.js'
import type { RecordingInstance } from 'twilio/lib/rest/api/v2010/account/recording.js'
import { randomHex } from '../../security/random.ts'

/** A record of Twilio's own library as it is sent: dates are text, and every field may be null. */
type Wire<T> = { [Key in keyof T]: (T[Key] extends Date ? string : T[Key]) | null }
type Required<T, Key extends keyof T> = T & { [Each in Key]: NonNullable<T[Each]> }

export type NumberRecord = Required<
  Wire<ConstructorParameters<typeof IncomingPhoneNumberInstance>[1]>,
  'sid' | 'phone_number' | 'account_sid'
>
export type CallResource = Required<
  Wire<ConstructorParameters<typeof CallInstance>[1]>,
  'sid' | 'status' | 'from' | 'to' | 'account_sid' | 'direction'
>
export type MessageResource = Required<
  Wire<ConstructorParameters<typeof MessageInstance>[1]>,
  'sid' | 'status' | 'from' | 'to' | 'account_sid'
>
export type RecordingResource = Required<
  Wire<ConstructorParameters<typeof RecordingInstance>[1]>,
  'sid' | 'account_sid'
>

export interface Account {
  sid: string
  token: string
}

/** A record with the request of Atrium that created it. */
export type CallRecord = { resource: CallResource; form: URLSearchParams; sequence: number }
export type MessageRecord = { resource: MessageResource; form: URLSearchParams }
export interface Content {
  contentType: string
  bytes: Uint8Array
  /** The `content-length` of the response, if it differs from the length of `bytes`. */
  length?: number
}

/** The prefix, such as `CA`, and 32 hexadecimal digits. */
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
