import type { PublicContext } from '../../../context.ts'
import type { SignatureScheme } from '../../../signatures/scheme.ts'
import type { Headers } from '../../../signatures/signed-request.ts'

export type CarrierContext = Pick<PublicContext<'outbound' | 'vault'>, 'sql' | 'outbound' | 'vault' | 'now'>

/** With open credentials, from a connection or this server. */
export interface CarrierAccount {
  provider: 'twilio'
  /** Such as `AC…`. */
  accountId: string
  /** Signs the carrier's requests. */
  secret: string
  /** Null: this server's account. */
  connectionId: string | null
}

export interface OwnedNumber {
  providerId: string
  e164: string
  capabilities: { voice: boolean; sms: boolean; mms: boolean }
  urls: NumberUrls
}

export interface NumberUrls {
  voice: string | null
  sms: string | null
  status: string | null
}

export interface CallRequest {
  from: string
  to: string
  answer: { twiml: string } | { url: string }
  statusUrl: string
  timeoutSeconds?: number
  detectsMachines?: boolean
}

export interface SmsRequest {
  from: string
  to: string
  body: string
  mediaUrls: readonly string[]
  statusUrl: string
}

export interface CarrierFailure {
  /** Null: the carrier was unreachable or its response was lost. */
  status: number | null
  code: string | null
  message: string
  /** The request was certainly not carried out. */
  isRefused: boolean
}

export type CarrierResult<T> = { ok: true; value: T } | { ok: false; failure: CarrierFailure }

/** Requests go through the connector with the same name, with its limits and retries. */
export interface Carrier {
  slug: 'twilio'
  accountId: string
  schemes: readonly SignatureScheme[]
  findNumber: (e164: string) => Promise<CarrierResult<OwnedNumber | null>>
  /** Null removes a URL. An absent one stays. */
  setUrls: (providerId: string, urls: Partial<NumberUrls>) => Promise<CarrierResult<OwnedNumber>>
  placeCall: (call: CallRequest) => Promise<CarrierResult<{ providerId: string }>>
  redirectCall: (providerId: string, twiml: string) => Promise<CarrierResult<null>>
  endCall: (providerId: string) => Promise<CarrierResult<null>>
  readCall: (providerId: string) => Promise<CarrierResult<CarrierCall | null>>
  /** Oldest first, only calls this server made. Includes a call after a lost response. */
  listCalls: (filter: PartiesFilter) => Promise<CarrierResult<readonly ListedCall[]>>
  sendSms: (message: SmsRequest) => Promise<CarrierResult<{ providerId: string; segments: number | null }>>
  readSms: (providerId: string) => Promise<CarrierResult<CarrierSms | null>>
  /** Newest first. Includes a message after a lost response. */
  listSms: (filter: PartiesFilter) => Promise<CarrierResult<readonly ListedSms[]>>
  download: (url: string) => Promise<CarrierResult<CarrierContent>>
  /** Call it once the recording is stored here. */
  deleteRecording: (providerId: string) => Promise<CarrierResult<null>>
}

export interface CarrierCall {
  status: string
  durationSeconds: number | null
  /** In US dollars, positive. Null until the carrier reports it. */
  price: string | null
}

export interface PartiesFilter {
  from: string
  to: string
  since: Date
}

export interface ListedCall extends CarrierCall {
  providerId: string
}

export interface CarrierSms {
  status: string
  errorCode: string | null
  segments: number | null
  price: string | null
}

export interface ListedSms {
  providerId: string
  body: string
  segments: number | null
}

export interface CarrierContent {
  contentType: string
  content: AsyncIterable<Uint8Array>
}

/** The signature is verified. */
export interface CarrierCallback {
  fields: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  headers: Headers
}
