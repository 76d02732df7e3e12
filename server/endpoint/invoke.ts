import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type EndpointName, endpointsByName } from '../../contract/index.ts'
import { releaseClient } from '../concurrency/work-scope.ts'
import {
  type Capabilities,
  type Capability,
  type Context,
  createContext,
  markOutsideAuthor,
  type PublicContext,
} from '../context.ts'
import type { Sql } from '../database/database.ts'
import type { Pools } from '../database/pools.ts'
import type { StandbyReads } from '../database/standby/standby.ts'
import type { ApiError } from '../errors.ts'
import { createAccessCheck, RECHECK_AFTER_MS } from './access-check.ts'
import type { Call, Result } from './call.ts'
import { bodyHash, formatEtag } from './etag.ts'
import { findStoredResponse, hashRequest, readIdempotencyKey, runIdempotent } from './idempotency.ts'
import { enforceGuestBytes, enforceGuestLimit, enforceLimit } from './limit.ts'
import { compileParser, type Input } from './parse.ts'
import { hasRole, isStepUpRequired, permit, withProblems } from './permit.ts'
import { type Bytes, type PreparedCall, Reply, type Route, UnparsedBody } from './route.ts'
import { createScheduler } from './scheduler.ts'
import { createSerializer, JsonBytes, JsonParts } from './serialize.ts'

export interface InvokerOptions {
  routes: Route[]
  pools: Pick<Pools, 'requests' | 'heavy' | 'access'>
  /** Null: the primary runs every call. */
  standby?: StandbyReads | null
  now: () => Date
  capabilities: Capabilities
  log: Logger
  /** So tests detect drift. */
  checkOutput?: boolean
  recheckAfterMs?: number
}

/** From the checks that need no body. */
interface Admission {
  headers: Record<string, string>
  /** Set if the call is refused once its body has arrived. */
  refusal?: ApiError
}

type AnyContext = Context<Capability> | PublicContext<Capability>
type OnDiscard = (discard: () => Promise<void>) => void

/** A route with everything compiled once, at boot. */
export interface Operation {
  endpoint: Endpoint
  parse: (call: Call) => Input
  serialize: (value: unknown) => string
  /** For callers below `endpoint.reduced`'s role. */
  serializeReduced?: (value: unknown) => string
  parseLarge?: Route['parseLarge']
  checksOutput: boolean
  run: (ctx: AnyContext, input: unknown) => Promise<unknown>
  prepare?: (ctx: AnyContext, input: unknown, onDiscard: OnDiscard) => Promise<PreparedCall<unknown>>
  follow?: (ctx: AnyContext, input: unknown, body: unknown) => Promise<Bytes | null>
}

export type Invoker = ReturnType<typeof createInvoker>

/**
 * HTTP requests, tools and agents all reach features this way. The check order is the policy: permit, limit, parse,
 * idempotency, handler, serialize.
 */
export function createInvoker({ routes, log, checkOutput = false, ...options }: InvokerOptions) {
  const { now, capabilities } = options
  const { suspensions } = capabilities
  const { recheckAfterMs = RECHECK_AFTER_MS } = options
  const scheduler = createScheduler(options.pools, options.standby)
  const operations = routes.map((route) => compile(route, checkOutput))
  const byEndpoint = new Map(operations.map((operation) => [operation.endpoint, operation]))

  /**
   * Returns the rate-limit headers. A call that lacks only step-up is admitted without taking from the limit: `run`
   * refuses it and names its body's invalid fields.
   */
  async function admit({ endpoint }: Operation, call: Call): Promise<Admission> {
    try {
      permit(endpoint, call, { now: now(), suspensions })
    } catch (error) {
      if (endpoint.body && !endpoint.multipart && isStepUpRequired(error))
        return { headers: {}, refusal: error }
      throw error
    }
    const { caller, origin } = call
    if (caller?.share) await enforceGuestLimit(scheduler.sqlFor(call), endpoint, caller, origin.ip, now())
    if (!endpoint.limit) return { headers: {} }
    const subject = { caller, ip: origin.ip }
    return { headers: await enforceLimit(scheduler.sqlFor(call), endpoint.limit, subject, now()) }
  }

  /** Runs after `admit`. Checks access again: it may end while the body arrives or the handler runs. */
  async function run(operation: Operation, call: Call): Promise<Result> {
    if (call.refusal) throw withProblems(call.refusal, () => operation.parse(call))
    if (call.caller?.share) await enforceGuestBytes(scheduler.sqlFor(call), operation.endpoint, call, now())
    if (call.sql) {
      await markOutsideAuthor(call.sql, call.caller)
      return runOn(call.sql, operation, call)
    }
    return scheduler.run(call, operation.endpoint, (sql) => runOn(sql, operation, call))
  }

  async function runOn(sql: Sql, operation: Operation, call: Call): Promise<Result> {
    const access = createAccessCheck(operation.endpoint, call, { now, suspensions, recheckAfterMs })
    const base = { ...capabilities, origin: call.origin, sql, now }
    const contexts: Contexts = {
      prepare: async () => createContext({ ...base, caller: await access.renew() }) as AnyContext,
      handle: async () => {
        const caller = await access.renew()
        const startedAt = now()
        return createContext({ ...base, caller }, () => access.confirm(startedAt)) as AnyContext
      },
    }
    const discards: (() => Promise<void>)[] = []
    let result: Result | undefined
    try {
      result = await runPrepared(operation, contexts, call, (discard) => discards.push(discard))
      return operation.follow
        ? await withStream(operation.follow, operation.parse(call), contexts, result)
        : result
    } finally {
      if (!result || result.isReplay) {
        releaseClient()
        await discardAll(discards, log)
      }
    }
  }

  return {
    operations,
    byName: (name: EndpointName): Operation => byEndpoint.get(endpointsByName[name])!,
    /** An organization's connections, for work that isn't one call. */
    sqlFor: scheduler.sqlOf,
    admit,
    run,
    /** For calls with complete input. */
    async invoke(operation: Operation, rawCall: Call): Promise<Result> {
      const call = normalize(operation.endpoint, rawCall)
      const { headers, refusal } = await admit(operation, call)
      const result = await run(operation, { ...call, refusal })
      return { ...result, headers: { ...headers, ...result.headers } }
    },
  }
}

function compile(route: Route, checkOutput: boolean): Operation {
  const { endpoint } = route
  const { envelope, reduced } = endpoint
  return {
    endpoint,
    parse: compileParser(endpoint),
    serialize: createSerializer(endpoint, checkOutput),
    serializeReduced: reduced && createSerializer({ output: reduced.output, envelope }, checkOutput),
    parseLarge: route.parseLarge,
    checksOutput: checkOutput,
    run: route.run as Operation['run'],
    prepare: route.prepare as Operation['prepare'],
    follow: route.follow as Operation['follow'],
  }
}

/** Query values become text, and an endpoint that doesn't identify its caller has none. */
function normalize({ access }: Endpoint, call: Call): Call {
  const isAnonymous = access.kind === 'signature' || (access.kind === 'public' && !access.identify)
  const query: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(call.query)) {
    if (typeof value === 'number' || typeof value === 'boolean') query[name] = String(value)
    else if (value !== undefined) query[name] = value
  }
  return isAnonymous ? { ...call, caller: null, reidentify: undefined, query } : { ...call, query }
}

/** Opens a context for each phase, after checking the caller's access. */
interface Contexts {
  /** Work stored in its transactions is discarded if the caller has lost access by its end. */
  prepare: () => Promise<AnyContext>
  /** Its transactions commit only if the caller still has access. */
  handle: () => Promise<AnyContext>
}

type Prepare = () => Promise<PreparedCall<unknown>>

async function runPrepared(
  operation: Operation,
  contexts: Contexts,
  call: Call,
  onDiscard: OnDiscard,
): Promise<Result> {
  const { endpoint } = operation
  if (!needsPreparation(operation, call)) {
    // One access check is enough: nothing runs before the handler.
    const ctx = await contexts.handle()
    return respond(operation, ctx, operation.parse(call), call.acceptsParts)
  }
  const prepareContext = await contexts.prepare()
  const input = await parseAny(operation, call)
  const prepare: Prepare = async () =>
    (await operation.prepare?.(prepareContext, input, onDiscard)) ?? { input }
  const key = readIdempotencyKey(endpoint, call)
  if (key !== undefined) return runOnce(operation, { contexts, prepareContext, prepare }, call, key)
  const prepared = await prepare()
  return respond(operation, await contexts.handle(), prepared.input, call.acceptsParts)
}

const needsPreparation = ({ endpoint, prepare }: Operation, { body, idempotencyKey }: Call): boolean =>
  prepare !== undefined ||
  (endpoint.idempotent !== undefined && idempotencyKey !== undefined) ||
  body instanceof UnparsedBody

async function parseAny({ parse, parseLarge }: Operation, call: Call): Promise<unknown> {
  const { body } = call
  return body instanceof UnparsedBody ? body.read((file) => parseLarge!(call, file)) : parse(call)
}

async function runOnce(
  operation: Operation,
  { contexts, prepareContext, prepare }: { contexts: Contexts; prepareContext: AnyContext; prepare: Prepare },
  call: Call,
  key: string,
): Promise<Result> {
  const keyedRequest = (content: unknown) => ({
    key,
    requestHash: hashRequest(operation.endpoint, call, content),
  })
  // Replays skip expensive preparation. A form must be read before it can be identified.
  if (operation.prepare && !call.form) {
    const stored = await findStoredResponse(prepareContext as Context<Capability>, keyedRequest(call.body))
    if (stored) return stored
  }
  const prepared = await prepare()
  const content = call.form ? prepared.fingerprint : call.body
  const ctx = (await contexts.handle()) as Context<Capability>
  return runIdempotent(ctx, keyedRequest(content), (inside) => respond(operation, inside, prepared.input))
}

async function withStream(
  follow: NonNullable<Operation['follow']>,
  input: Input,
  contexts: Contexts,
  result: Result,
): Promise<Result> {
  const bytes = await follow(await contexts.handle(), input, JSON.parse(result.body))
  if (!bytes) return result
  return {
    ...result,
    status: 200,
    headers: { ...result.headers, ...bytes.headers },
    body: '',
    stream: bytes.content,
  }
}

async function respond(
  operation: Operation,
  ctx: AnyContext,
  input: unknown,
  acceptsParts = false,
): Promise<Result> {
  const { endpoint, run } = operation
  const output = await run(ctx, input)
  if (output instanceof JsonParts && acceptsParts && output.parts.length > 1)
    return sendParts(operation, output)
  if (output instanceof JsonBytes && acceptsParts) return sendBytes(operation, output, {})
  const isReduced = endpoint.reduced !== undefined && !hasRole(endpoint.reduced.below, ctx.caller!)
  const serialize = isReduced ? operation.serializeReduced! : operation.serialize
  if (output instanceof Reply) return sendReply(operation, output, serialize, acceptsParts)
  return { status: endpoint.status ?? 200, headers: {}, body: serialize(output) }
}

/** For outputs that set more than the body: cookies, a redirect, bytes, a version. */
function sendReply(
  operation: Operation,
  { body, options }: Reply<unknown>,
  serialize: Operation['serialize'],
  acceptsParts: boolean,
): Result {
  const { endpoint } = operation
  const { session, flow, device, redirect, bytes, version } = options
  refuseForeignSession(endpoint, session)
  const changes = { ...(session && { session }), ...(flow && { flow }), ...(device && { device }) }
  if (redirect) return { status: 302, headers: { location: redirect }, body: '', ...changes }
  const status = options.status ?? (bytes ? 200 : (endpoint.status ?? 200))
  if (bytes) return { status, headers: bytes.headers, body: '', stream: bytes.content, ...changes }
  const versionHeaders = (hash: () => string): Record<string, string> =>
    version === undefined ? {} : { etag: formatEtag(version, hash()) }
  if (body instanceof JsonBytes && acceptsParts)
    return {
      ...sendBytes(
        operation,
        body,
        versionHeaders(() => body.hash),
      ),
      ...changes,
    }
  const text = serialize(body)
  return { status, headers: versionHeaders(() => bodyHash(text)), body: text, ...changes }
}

/**
 * Only public endpoints, where users prove who they are, start sessions: no operator or admin can obtain another user's
 * session.
 */
function refuseForeignSession({ access }: Endpoint, session: Result['session']): void {
  if (session && session !== 'ended' && session.token !== undefined && access.kind !== 'public')
    throw new Error('Only public endpoints start sessions')
}

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

function sendParts({ endpoint, serialize, checksOutput }: Operation, body: JsonParts): Result {
  if (checksOutput) serialize(body)
  const stream = Readable.from(body.parts)
  return { status: endpoint.status ?? 200, headers: JSON_HEADERS, body: '', stream }
}

const ENVELOPE = [Buffer.from('{"success":true,"data":'), Buffer.from('}')] as const

function sendBytes(
  { endpoint, serialize, checksOutput }: Operation,
  body: JsonBytes,
  headers: Record<string, string>,
): Result {
  if (checksOutput) serialize(body)
  const [start, end] = ENVELOPE
  const bytes = endpoint.envelope ? Buffer.concat([start, body.bytes, end]) : body.bytes
  return { status: endpoint.status ?? 200, headers, body: '', bytes }
}

/** Only logs failures: the caller gets the response, and a later sweep finds the remaining objects. */
async function discardAll(discards: (() => Promise<void>)[], log: Logger): Promise<void> {
  for (const discard of discards) {
    await discard().catch((err: unknown) => log.warn({ err }, 'could not discard a call’s prepared work'))
  }
}
