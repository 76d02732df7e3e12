import type { Endpoint, OutputOf, RequestOf } from '../contract/endpoint.ts'
import type { ErrorBody, ErrorCode, ErrorDetails } from '../contract/errors.ts'
import { t } from '../contract/text.ts'

/** Small enough for a browser: no schemas or defaults. */
export type Route = { method: string; path: string; query?: string[]; envelope?: true }
export type Routes<C> = { [G in keyof C]: { [E in keyof C[G]]: Route } }

export type Client<C> = {
  [G in keyof C]: { [E in keyof C[G]]: C[G][E] extends Endpoint ? Call<C[G][E]> : never }
}
type Call<E extends Endpoint> =
  unknown extends RequestOf<E>
    ? (input?: undefined, options?: CallOptions) => Promise<OutputOf<E>>
    : (input: RequestOf<E>, options?: CallOptions) => Promise<OutputOf<E>>

export interface CallOptions {
  idempotencyKey?: string
  ifMatch?: string
  signal?: AbortSignal
}

export interface ClientOptions {
  baseUrl: string
  headers?: () => Record<string, string>
  fetch?: typeof fetch
  /** Decides whether to repeat a refused call once, for example after step-up. */
  retry?: (failure: ApiFailure) => Promise<boolean>
}

export function toRoutes<C extends Record<string, Record<string, Endpoint>>>(contract: C): Routes<C> {
  const route = ({ method, path, query, envelope }: Endpoint): Route => ({
    method,
    path,
    ...(query && { query: Object.keys(query.shape) }),
    ...(envelope && { envelope }),
  })
  return mapGroups(contract, route) as Routes<C>
}

/** `client.feedback.edit({ id, message })` */
export function createClient<C>(routes: Routes<C>, options: ClientOptions): Client<C> {
  const groups = routes as Record<string, Record<string, Route>>
  const callOf =
    (route: Route) =>
    async (input?: Record<string, unknown>, callOptions: CallOptions = {}) => {
      try {
        return await send(route, input ?? {}, options, callOptions)
      } catch (error) {
        if (!(error instanceof ApiFailure) || !(await options.retry?.(error))) throw error
        return send(route, input ?? {}, options, callOptions)
      }
    }
  return mapGroups(groups, callOf) as Client<C>
}

/** `code` is `UNREACHABLE` if there was no response. */
export class ApiFailure extends Error {
  readonly status: number
  readonly code: ErrorCode | 'UNREACHABLE'
  readonly details: ErrorDetails | undefined
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: number,
    error: Partial<ErrorBody['error']> & { message: string },
    retryAfter?: string | null,
  ) {
    super(error.message)
    this.name = 'ApiFailure'
    this.status = status
    this.code = error.code ?? 'UNREACHABLE'
    this.details = error.details
    this.requestId = error.requestId
    this.retryAfterSeconds = retryAfter ? Number(retryAfter) : undefined
  }

  get reason(): string | undefined {
    return this.details && !Array.isArray(this.details) ? this.details.reason : undefined
  }

  fieldMessage(path: string): string | undefined {
    return Array.isArray(this.details)
      ? this.details.find((detail) => detail.path === path)?.message
      : undefined
  }
}

type ParameterValue = string | number | boolean | undefined

async function send(route: Route, input: Record<string, unknown>, client: ClientOptions, call: CallOptions) {
  const fields = { ...input } as Record<string, ParameterValue>
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = fields[name]
    delete fields[name]
    return encodeURIComponent(String(value))
  })
  const query = new URLSearchParams()
  for (const name of route.query ?? []) {
    if (fields[name] !== undefined) query.set(name, String(fields[name]))
    delete fields[name]
  }
  const hasBody = route.method !== 'GET' && Object.keys(fields).length > 0
  const headers: Record<string, string> = { accept: 'application/json', ...client.headers?.() }
  if (hasBody) headers['content-type'] = 'application/json'
  if (call.idempotencyKey) headers['idempotency-key'] = call.idempotencyKey
  if (call.ifMatch) headers['if-match'] = call.ifMatch

  const response = await (client.fetch ?? fetch)(client.baseUrl + path + (query.size ? `?${query}` : ''), {
    method: route.method,
    headers,
    body: hasBody ? JSON.stringify(fields) : undefined,
    signal: call.signal,
  }).catch((cause: unknown) => {
    if (call.signal?.aborted) throw cause
    throw new ApiFailure(0, { message: t`Can’t reach ${client.baseUrl || t`The server`}` })
  })
  return readResponse(response, route)
}

/** Throws ApiFailure if the call failed. */
export async function readResponse(response: Response, route: Pick<Route, 'envelope'>): Promise<unknown> {
  const text = await response.text()
  const body = parse(text)
  if (response.ok && body !== undefined) return route.envelope ? (body as { data: unknown }).data : body
  const error = errorOf(body) ?? {
    message: t`The server returned ${response.status} without an explanation`,
    requestId: response.headers.get('x-request-id') ?? undefined,
  }
  throw new ApiFailure(response.status, error, response.headers.get('retry-after'))
}

/** OAuth endpoints return an error code as text, which becomes the reason. */
function errorOf(body: unknown): (Partial<ErrorBody['error']> & { message: string }) | undefined {
  const { error, error_description } = (body ?? {}) as { error?: unknown; error_description?: string }
  if (typeof error !== 'string') return error as ErrorBody['error'] | undefined
  return { code: 'BAD_REQUEST', message: error_description ?? error, details: { reason: error } }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function mapGroups<V, R>(groups: Record<string, Record<string, V>>, map: (value: V) => R) {
  return Object.fromEntries(
    Object.entries(groups).map(([group, entries]) => [
      group,
      Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, map(value)])),
    ]),
  )
}
