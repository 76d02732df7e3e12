import type { Readable } from 'node:stream'
import type { Endpoint, InputOf, OutputOf } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/index.ts'
import type { Context, PublicContext } from '../context.ts'

/** An endpoint and the function that fulfils it. */
export interface Route {
  endpoint: Endpoint
  run: (ctx: never, input: never) => Promise<unknown>
  /** What takes too long to be done in a transaction: comes before, and makes the input that `run` gets. */
  prepare?: (ctx: never, input: never) => Promise<unknown>
}

type ContextFor<E extends Endpoint> = E['access'] extends { kind: 'public' | 'signature' }
  ? PublicContext
  : Context

export function handle<E extends Endpoint>(
  endpoint: E,
  run: (ctx: ContextFor<E>, input: InputOf<E>) => Promise<OutputOf<E> | Reply<OutputOf<E>>>,
  prepare?: (ctx: ContextFor<E>, input: InputOf<E>) => Promise<InputOf<E>>,
): Route {
  return { endpoint, run, prepare }
}

/** An answer that needs more than its body: another status, a version for the etag, a session to begin or end. */
export class Reply<T> {
  readonly body: T
  readonly options: ReplyOptions

  constructor(body: T, options: ReplyOptions) {
    this.body = body
    this.options = options
  }
}

interface ReplyOptions {
  status?: number
  /** What `etag` is made of; changes whenever the record does. */
  version?: string | number
  /** Where to send the browser, for endpoints that redirect. */
  redirect?: string
  /** Bytes to send instead of the body; null where the headers say it all. */
  bytes?: { content: Readable | null; headers: Record<string, string> }
  /** A secret for this browser only, which comes back as `origin.flow` until the flow is over. */
  flow?: { secret: string } | 'ended'
  /** Begins a session, prolongs the current one (no `token`), or ends it. */
  session?: { token?: string; expiresAt: Date } | 'ended'
}

export const reply = <T>(body: T, options: ReplyOptions): Reply<T> => new Reply(body, options)

/** Stops the boot, by name, when an endpoint of the contract has no function, or two. */
export function checkRoutes(routes: Route[]): void {
  const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
  const given = routes.map(({ endpoint }) => nameOf(endpoint))
  const missing = endpoints.map(nameOf).filter((name) => !given.includes(name))
  const twice = given.filter((name, index) => given.indexOf(name) !== index)
  if (missing.length > 0) throw new Error(`No function for the endpoint ${missing.join(', ')}`)
  if (twice.length > 0) throw new Error(`Two functions for the endpoint ${twice.join(', ')}`)
}
