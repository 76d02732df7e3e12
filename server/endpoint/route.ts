import type { Readable } from 'node:stream'
import type { Endpoint, InputOf, OutputOf } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/index.ts'
import type { Capability, Context, PublicContext } from '../context.ts'
import type { JsonBytes, JsonParts, JsonText } from './serialize.ts'

/** An endpoint and its handler. */
export interface Route {
  endpoint: Endpoint
  run: (ctx: never, input: never) => Promise<unknown>
  prepare?: (ctx: never, input: never, onDiscard: never) => Promise<PreparedCall<unknown>>
  follow?: (ctx: never, input: never, body: never) => Promise<Bytes | null>
  /** Parses and validates a large JSON body outside of the thread that serves requests. */
  parseLarge?: (call: UrlInput, body: BodyFile) => Promise<Record<string, unknown>>
}

/** The part of a call that its URL contains. */
interface UrlInput {
  params: Record<string, unknown>
  query: Record<string, unknown>
}

/** The outcome of `prepare`. */
export interface PreparedCall<Input> {
  /** Passed to the handler. */
  input: Input
  /** Identifies the content of a form, for idempotency. */
  fingerprint?: unknown
}

type ContextFor<E extends Endpoint> = E['access'] extends { kind: 'public' | 'signature' }
  ? PublicContext<Capability>
  : Context<Capability>

type Handler<E extends Endpoint, Input> = (
  ctx: ContextFor<E>,
  input: Input,
) => Promise<OutputOf<E> | JsonText | JsonParts | JsonBytes | Reply<OutputOf<E> | JsonBytes>>

/**
 * Work that takes too long for a transaction: runs before it and produces the handler's input. A function passed to
 * `onDiscard` runs if that work turns out to be unused, because the call fails or is an idempotent replay.
 */
type Prepare<E extends Endpoint, Input> = (
  ctx: ContextFor<E>,
  input: InputOf<E>,
  onDiscard: (discard: () => Promise<void>) => void,
) => Promise<PreparedCall<Input>>

export function handle<E extends Endpoint>(endpoint: E, run: Handler<E, InputOf<E>>): Route
export function handle<E extends Endpoint, Input>(
  endpoint: E,
  run: Handler<E, Input>,
  prepare: Prepare<E, Input>,
): Route
export function handle<E extends Endpoint>(
  endpoint: E,
  run: Handler<E, never>,
  prepare?: Prepare<E, unknown>,
): Route {
  return { endpoint, run, prepare }
}

/**
 * A route that may respond with a stream of the work that it started. `follow` runs once the call has committed, also
 * for a repeated call with an idempotency key, whose stored response it receives; null: the response stays as it is.
 */
export const handleAndFollow = <E extends Endpoint, Input>(
  endpoint: E,
  run: Handler<E, Input>,
  prepare: Prepare<E, Input>,
  follow: (ctx: ContextFor<E>, input: InputOf<E>, body: OutputOf<E>) => Promise<Bytes | null>,
): Route => ({ endpoint, run, prepare, follow })

/** A stream to send instead of the body; null if the headers are the whole response. */
export interface Bytes {
  content: Readable | null
  headers: Record<string, string>
}

/** A response with more than a body: another status, the version of the record, a session to start or end. */
export class Reply<T> {
  readonly body: T
  readonly options: ReplyOptions

  constructor(body: T, options: ReplyOptions) {
    this.body = body
    this.options = options
  }
}

export interface ReplyOptions {
  status?: number
  /** The version of the record, which `if-match` requires. The etag also covers the rest of the body. */
  version?: string | number
  /** The URL to redirect to. */
  redirect?: string
  bytes?: Bytes
  /** Sets or clears the OAuth flow cookie of this browser, whose secret is `origin.flowSecret` in later calls. */
  flow?: { secret: string } | 'ended'
  /** Sets the cookie that identifies this browser, which is `origin.deviceToken` in later calls. */
  device?: string
  /** Starts a session, extends the current one (no `token`), or ends it. */
  session?: { token?: string; expiresAt: Date } | 'ended'
}

export const reply = <T>(body: T, options: ReplyOptions): Reply<T> => new Reply(body, options)

/** Fails the boot if an endpoint of the contract has no handler or two, or writes on a standby, and names it. */
export function checkRoutes(routes: Route[]): void {
  const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
  const handled = routes.map(({ endpoint }) => nameOf(endpoint))
  const missing = endpoints.map(nameOf).filter((name) => !handled.includes(name))
  const duplicate = handled.filter((name, index) => handled.indexOf(name) !== index)
  if (missing.length > 0) throw new Error(`No handler for the endpoint ${missing.join(', ')}`)
  if (duplicate.length > 0) throw new Error(`Two handlers for the endpoint ${duplicate.join(', ')}`)
  const impure = routes.filter((route) => route.endpoint.standby && !isRead(route))
  if (impure.length > 0)
    throw new Error(`A standby cannot run ${impure.map(({ endpoint }) => nameOf(endpoint)).join(', ')}`)
}

/** Whether a call ends with its response and can start again on the primary, so that a standby may run it. */
const isRead = ({ endpoint, prepare, follow }: Route): boolean =>
  endpoint.method === 'GET' &&
  !endpoint.bytes &&
  !endpoint.heavy &&
  !endpoint.redirects &&
  !prepare &&
  !follow

/** A file that is open while it is read. Any thread of the process can read it. */
export interface BodyFile {
  fd: number
  bytes: number
}

/** A JSON body that is too large to hold in memory, and to parse in the thread that serves requests. */
export class UnparsedBody {
  /** Passes the body to a reader once, and discards it afterwards. */
  readonly read: <T>(reader: (file: BodyFile) => Promise<T>) => Promise<T>

  constructor(read: UnparsedBody['read']) {
    this.read = read
  }
}
