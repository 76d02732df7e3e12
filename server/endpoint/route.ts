import type { Readable } from 'node:stream'
import type { Endpoint, InputOf, OutputOf } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/index.ts'
import type { Capability, Context, PublicContext } from '../context.ts'
import type { JsonBytes, JsonParts, JsonText } from './serialize.ts'

export interface Route {
  endpoint: Endpoint
  run: (ctx: never, input: never) => Promise<unknown>
  prepare?: (ctx: never, input: never, onDiscard: never) => Promise<PreparedCall<unknown>>
  follow?: (ctx: never, input: never, body: never) => Promise<Bytes | null>
  /** Parses and validates a large JSON body outside the thread that serves requests. */
  parseLarge?: (call: UrlInput, body: BodyFile) => Promise<Record<string, unknown>>
}

interface UrlInput {
  params: Record<string, unknown>
  query: Record<string, unknown>
}

export interface PreparedCall<Input> {
  input: Input
  /** Identifies a form's content, for idempotency. */
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
 * Work too long for a transaction, so it runs before it. Functions passed to `onDiscard` run if that work goes unused,
 * because the call fails or is an idempotent replay.
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
 * `follow` runs once the call has committed, and also for an idempotent replay, with the stored response. Null leaves
 * the response unchanged.
 */
export const handleAndFollow = <E extends Endpoint, Input>(
  endpoint: E,
  run: Handler<E, Input>,
  prepare: Prepare<E, Input>,
  follow: (ctx: ContextFor<E>, input: InputOf<E>, body: OutputOf<E>) => Promise<Bytes | null>,
): Route => ({ endpoint, run, prepare, follow })

/** Sent instead of the body. Null if the headers are the whole response. */
export interface Bytes {
  content: Readable | null
  headers: Record<string, string>
}

/** A response with more than a body: another status, the record's version, a session to start or end. */
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
  /** The record's version, which `if-match` requires. The etag also covers the rest of the body. */
  version?: string | number
  redirect?: string
  bytes?: Bytes
  /** Sets or clears the OAuth flow cookie, `origin.flowSecret` in later calls. */
  flow?: { secret: string } | 'ended'
  /** Sets the device cookie, `origin.deviceToken` in later calls. */
  device?: string
  /** Starts a session, extends the current one (no `token`), or ends it. */
  session?: { token?: string; expiresAt: Date } | 'ended'
}

export const reply = <T>(body: T, options: ReplyOptions): Reply<T> => new Reply(body, options)

/** Fails the boot and names an endpoint with no handler or two, or that writes on a standby. */
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

/** Ends with its response and can restart on the primary, so a standby may run it. */
const isRead = ({ endpoint, prepare, follow }: Route): boolean =>
  endpoint.method === 'GET' &&
  !endpoint.bytes &&
  !endpoint.heavy &&
  !endpoint.redirects &&
  !prepare &&
  !follow

/** Open while being read. Any thread in the process can read it. */
export interface BodyFile {
  fd: number
  bytes: number
}

/** Too large to hold in memory or to parse in the thread that serves requests. */
export class UnparsedBody {
  /** Passes the body to a reader once, then discards it. */
  readonly read: <T>(reader: (file: BodyFile) => Promise<T>) => Promise<T>

  constructor(read: UnparsedBody['read']) {
    this.read = read
  }
}
