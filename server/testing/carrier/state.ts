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

export interface State {
  accounts: Account[]
  numbers: NumberRecord[]
  calls: CallRecord[]
  messages: MessageRecord[]
  recordings: { resource: RecordingResource; content: Content; isDeleted: boolean }[]
  media: { sid: string; messageSid: string; account: string; content: Content }[]
  requests: CarrierRequest[]
  failures: Failure[]
  contentOrigin: string
  contentRequests: Record<string, string>[]
}

export interface Reply {
  status: number
  json?: unknown
  content?: Content
  location?: string
}

export const errorReply = (status: number, code: number, message: string): Reply => ({
  status,
  json: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
})
