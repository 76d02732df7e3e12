import type { Failure } from './failures.ts'
import type {
  Account,
  CallRecord,
  Content,
  MessageRecord,
  NumberRecord,
  RecordingResource,
} from './records.ts'

export interface CarrierRequest {
  method: string
  /** Below the account, such as `Calls.json` or `Recordings/RE….mp3`. */
  path: string
  account: string
  query: URLSearchParams
  form: URLSearchParams
  headers: Record<string, string>
}

/** The records of the scripted carrier. Tests read and change the records. */
export interface State {
  accounts: Account[]
  numbers: NumberRecord[]
  calls: CallRecord[]
  messages: MessageRecord[]
  recordings: { resource: RecordingResource; content: Content; isDeleted: boolean }[]
  media: { sid: string; messageSid: string; account: string; content: Content }[]
  /** Every request with its form, in order of arrival. */
  requests: CarrierRequest[]
  failures: Failure[]
  /** The origin of the host that media are redirected to. */
  contentOrigin: string
  /** The headers of the requests that this host received. */
  contentRequests: Record<string, string>[]
}

export interface Reply {
  status: number
  /** Absent if the response has no JSON body. */
  json?: unknown
  content?: Content
  location?: string
}

/** An error as Twilio reports it. */
export const errorReply = (status: number, code: number, message: string): Reply => ({
  status,
  json: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
})
