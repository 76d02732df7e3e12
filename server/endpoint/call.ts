import type { Readable } from 'node:stream'
import type { ByteRequest, FormFile, RawContent } from '../../contract/endpoint.ts'
import type { Caller, Origin } from '../context.ts'
import type { Sql } from '../database/database.ts'
import type { ApiError } from '../errors.ts'
import type { ReplyOptions } from './route.ts'

/** One call of an endpoint, independent of the transport that received it. */
export interface Call {
  caller: Caller | null
  /** Identifies the caller again, for calls that take time; absent if access is checked once. */
  reidentify?: () => Promise<Caller | null>
  /** When `caller` was identified (`performance.now()`); null if the input was not complete then. */
  identifiedAt?: number | null
  /** Whether all input has arrived; absent if it has. */
  isComplete?: () => boolean
  /** The error with which the call is refused once its input has arrived. */
  refusal?: ApiError
  origin: Origin
  params: Record<string, unknown>
  /** Values are text, as in a URL. Numbers and booleans are converted to text. */
  query: Record<string, unknown>
  body?: unknown
  /** The declared size of the body in bytes; absent if the sender did not declare it. */
  contentLength?: number
  /** Tolerates unknown body fields, on endpoints that accept OAuth forms. */
  ignoreUnknownFields?: boolean
  idempotencyKey?: string
  /** The value of `if-match`: an etag, or the version in it. */
  ifMatch?: string
  byteRequest?: ByteRequest
  /** The transaction that the call joins; without it, the call opens its own. */
  sql?: Sql
  /** The transport sends a long response in parts; otherwise it is one text. */
  acceptsParts?: boolean
  /** Aborts when the caller disconnects: a heavy call that still waits for its turn is then dropped. */
  signal?: AbortSignal
  /** The body of an endpoint that takes raw bytes. */
  raw?: RawContent
  /** The parts of a form, instead of `body`. */
  form?: AsyncIterable<FormPart>
}

/** One part of a form, in the order in which the parts arrive. */
export type FormPart = { name: string } & (
  | { kind: 'field'; value: unknown }
  | { kind: 'file'; file: FormFile }
)

/** The response to a call as a plain value; the transport decides how to send it. */
export interface Result {
  status: number
  headers: Record<string, string>
  /** JSON; empty for a redirect, a stream or `bytes`. */
  body: string
  /** JSON that is sent instead of the body. */
  bytes?: Buffer
  /** Sent instead of the body; null if the headers are the whole response. */
  stream?: Readable | null
  session?: ReplyOptions['session']
  flow?: ReplyOptions['flow']
  device?: ReplyOptions['device']
  /** The stored response to an earlier call with the same idempotency key. */
  isReplay?: boolean
}
