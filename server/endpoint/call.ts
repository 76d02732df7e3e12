import type { Readable } from 'node:stream'
import type { ByteRequest, FormFile, RawContent } from '../../contract/endpoint.ts'
import type { Caller, Origin } from '../context.ts'
import type { Sql } from '../database/database.ts'
import type { ApiError } from '../errors.ts'
import type { ReplyOptions } from './route.ts'

/** Independent of the transport. */
export interface Call {
  caller: Caller | null
  /** For calls that take time. Absent if access is checked once. */
  reidentify?: () => Promise<Caller | null>
  /** When `caller` was identified (`performance.now()`). Null if the input wasn't complete then. */
  identifiedAt?: number | null
  /** Whether all input has arrived. Absent if it has. */
  isComplete?: () => boolean
  /** Refuses the call once its input has arrived. */
  refusal?: ApiError
  origin: Origin
  params: Record<string, unknown>
  /** Values are text, as in a URL. Numbers and booleans are converted. */
  query: Record<string, unknown>
  body?: unknown
  /** Declared body size in bytes. Absent if the sender didn't declare it. */
  contentLength?: number
  /** Tolerates unknown body fields, on endpoints that accept OAuth forms. */
  ignoreUnknownFields?: boolean
  idempotencyKey?: string
  /** An etag, or the version in it. */
  ifMatch?: string
  byteRequest?: ByteRequest
  /** The transaction to join. Without it, the call opens its own. */
  sql?: Sql
  /** The transport sends a long response in parts. Otherwise it's one text. */
  acceptsParts?: boolean
  /** A heavy call still waiting for its turn is dropped when the caller disconnects. */
  signal?: AbortSignal
  raw?: RawContent
  /** Replaces `body`. */
  form?: AsyncIterable<FormPart>
}

/** Parts come in arrival order. */
export type FormPart = { name: string } & (
  | { kind: 'field'; value: unknown }
  | { kind: 'file'; file: FormFile }
)

/** The transport decides how to send it. */
export interface Result {
  status: number
  headers: Record<string, string>
  /** JSON. Empty for a redirect, a stream or `bytes`. */
  body: string
  /** JSON sent instead of the body. */
  bytes?: Buffer
  /** Sent instead of the body. Null if the headers are the whole response. */
  stream?: Readable | null
  session?: ReplyOptions['session']
  flow?: ReplyOptions['flow']
  device?: ReplyOptions['device']
  /** Stored response to an earlier call with the same idempotency key. */
  isReplay?: boolean
}
