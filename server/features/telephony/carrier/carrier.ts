import type { PublicContext } from '../../../context.ts'
import type { SignatureScheme } from '../../../signatures/scheme.ts'
import type { Headers } from '../../../signatures/signed-request.ts'

/** The dependencies of requests to a carrier. */
export type CarrierContext = Pick<PublicContext<'outbound' | 'vault'>, 'sql' | 'outbound' | 'vault' | 'now'>

/** An account at a carrier, opened: the credentials of a connection, or of this server. */
export interface CarrierAccount {
  provider: 'twilio'
  /** The account at the carrier, such as `AC…`. */
  accountId: string
  /** The secret with which the carrier signs its requests. */
  secret: string
  /** Null: the account of this server. */
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
  /** TwiML, or the URL that responds with it. */
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

/** Why the carrier refused a request: the message of the carrier. */
export interface CarrierFailure {
  /** Null: the carrier could not be reached, or its response was lost. */
  status: number | null
  /** The code of the carrier, such as `21610`. */
  code: string | null
  message: string
  /** The request was certainly not carried out. */
  isRefused: boolean
}

export type CarrierResult<T> = { ok: true; value: T } | { ok: false; failure: CarrierFailure }

/** The operations of a carrier. Requests go through the connector of the same name, with its limits and retries. */
export interface Carrier {
  slug: 'twilio'
  /** The account that requests are made with. */
  accountId: string
  schemes: readonly SignatureScheme[]
  findNumber: (e164: string) => Promise<CarrierResult<OwnedNumber | null>>
  /** Null removes a URL; an absent one stays as it is. */
  setUrls: (providerId: string, urls: Partial<NumberUrls>) => Promise<CarrierResult<OwnedNumber>>
  placeCall: (call: CallRequest) => Promise<CarrierResult<{ providerId: string }>>
  /** Replaces the instructions of a call in progress. */
  redirectCall: (providerId: string, twiml: string) => Promise<CarrierResult<null>>
  endCall: (providerId: string) => Promise<CarrierResult<null>>
  readCall: (providerId: string) => Promise<CarrierResult<CarrierCall | null>>
  /**
   * The last calls that this server made between two numbers, oldest first: a call whose response was lost is among
   * them.
   */
  listCalls: (filter: PartiesFilter) => Promise<CarrierResult<readonly ListedCall[]>>
  sendSms: (message: SmsRequest) => Promise<CarrierResult<{ providerId: string; segments: number | null }>>
  readSms: (providerId: string) => Promise<CarrierResult<CarrierSms | null>>
  /** The last messages between two numbers, newest first: a message whose response was lost is among them. */
  listSms: (filter: PartiesFilter) => Promise<CarrierResult<readonly ListedSms[]>>
  /** A recording or the medium of a message, as a stream. */
  download: (url: string) => Promise<CarrierResult<CarrierContent>>
  /** Deletes a recording at the carrier once it is stored here. */
  deleteRecording: (providerId: string) => Promise<CarrierResult<null>>
}

export interface CarrierCall {
  status: string
  durationSeconds: number | null
  /** In US dollars, positive; null until the carrier reports it. */
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

/** The fields of a callback of the carrier, whose signature is verified. */
export interface CarrierCallback {
  fields: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  headers: Headers
}
