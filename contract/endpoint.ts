import type { z } from 'zod'
import type { Scope } from './accounts/scopes.ts'
import type { ErrorCode } from './errors.ts'

/** Read by routing, validation, serialization, OpenAPI, the client and the access tests. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/api/v1/${string}` | OAuthPath
  summary: string
  /** Error codes named here count as declared. */
  description?: string
  access: Access
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  output: z.ZodType
  /** Callers below this role get these fields instead of `output`. */
  reduced?: { below: RequiredRole; output: z.ZodType }
  /** On success. Default 200. */
  status?: 200 | 201 | 202 | 302
  /** Other non-error statuses, with when they occur. */
  also?: Partial<Record<200 | 302, string>>
  /** Codes implied neither by the declaration nor by the description. */
  failures?: readonly ErrorCode[]
  /** For a malformed id, instead of NOT_FOUND. The specification requires this for connections. */
  malformedId?: 'BAD_REQUEST'
  /** Wraps the response as `{ success: true, data }`; docs/decisions/everywhere.md lists where. */
  envelope?: true
  /** Supports the `Idempotency-Key` header. */
  idempotent?: true
  /** Sends `etag`; reads support `if-none-match`, writes support `if-match`. */
  versioned?: true
  limit?: Limit
  /** Reads or writes a whole project. Organizations take turns, with a separate queue and database connections. */
  heavy?: true
  /** Reads only, and may be expensive: runs on a standby if configured (DATABASE_READ_URL). */
  standby?: true
  /** Responds with a redirect instead of a body. */
  redirects?: true
  /** Also accepts `multipart/form-data` with one `file` and these fields. */
  multipart?: z.ZodObject
  /** The file’s field. Default `file`. */
  multipartFile?: string
  /** Passes the binary body to the handler as a stream. */
  raw?: true
  /**
   * A file, always or depending on the query; a ZIP archive; server-sent events; or a text or nothing, as a `reply`
   * sender expects.
   */
  bytes?: 'always' | 'sometimes' | 'archive' | 'events' | 'reply'
  /** When the response is 200 with server-sent events instead. */
  eventsIf?: string
  /** Default 128 KB. */
  bodyBytesMax?: number
  /** Also accepts `application/x-www-form-urlencoded`, which OAuth clients send. */
  form?: true
  /** `{ error, error_description }` with status 400; the authorization server also has 401 and 429. */
  errors?: 'oauth' | 'oauth-server'
  /** Pages from other origins may call it, without cookies. It identifies no caller. */
  cors?: true
  /** About the caller's account, not organization data. */
  whileSuspended?: true
  /** Offered over MCP; if absent, REST only. */
  tool?: 'read' | 'write'
}

/** RFC 8414 and RFC 9728 require these at the root, or clients expect them by default. */
type OAuthPath = '/token' | '/register' | '/revoke' | `/.well-known/${string}`

/** A token bucket that allows `capacity` calls at once and refills evenly in `perSeconds`. */
export interface Limit {
  name: string
  by: 'caller' | 'ip' | 'caller and ip'
  capacity: number
  perSeconds: number
  /** Default RATE_LIMITED. The specification requires BAD_REQUEST for key creation. */
  refusal?: 'BAD_REQUEST'
}

export type Access =
  /** `identify`: the handler receives the caller if the credential is valid. */
  | { kind: 'public'; identify?: true }
  /** The handler verifies the signed URL or body. */
  | { kind: 'signature' }
  /**
   * Any signed-in user or API key with the `scope`. `share`: also a guest with a share link that grants at least this
   * access. `edits`, here and below: the feature refuses users with view-only access.
   */
  | {
      kind: 'member'
      scope?: Scope
      role?: RequiredRole
      edits?: true
      steppedUpIf?: SteppedUpIf
      share?: 'view' | 'comment' | 'edit'
    }
  /** Refuses API keys with "<area> requires a browser session". */
  | { kind: 'browser'; area: string; operator?: true; role?: RequiredRole }
  /** A browser session with an open step-up window. `orSelf`: also an API key, if `:id` is its own id. */
  | { kind: 'stepped-up'; area: string; orSelf?: true; operator?: true; role?: RequiredRole; edits?: true }

/** Minimum role; owners are also admins. */
export type RequiredRole = 'admin' | 'owner'

/** Requires a stepped-up browser session if this boolean query parameter is `true`. */
export interface SteppedUpIf {
  query: string
  area: string
}

type Kind<K extends Access['kind']> = Extract<Access, { kind: K }>

export const anonymous = (options: { identify?: true } = {}): Kind<'public'> => ({
  kind: 'public',
  ...options,
})
export const bySignature = (): Kind<'signature'> => ({ kind: 'signature' })
export const member = (options: Omit<Kind<'member'>, 'kind'> = {}): Kind<'member'> => ({
  kind: 'member',
  ...options,
})
export const browser = (area: string, options: { role?: RequiredRole } = {}): Kind<'browser'> => ({
  kind: 'browser',
  area,
  ...options,
})
export const operator = (area: string): Kind<'browser'> => ({ kind: 'browser', area, operator: true })
export const steppedUp = (
  area: string,
  options: { orSelf?: true; operator?: true; role?: RequiredRole; edits?: true } = {},
): Kind<'stepped-up'> => ({
  kind: 'stepped-up',
  area,
  ...options,
})

/** On top of the features' own attempt limits. */
export const attemptsPerIp = (name: string): Limit => ({
  name,
  by: 'ip',
  capacity: 30,
  perSeconds: 60,
})

export const endpoint = <const E extends Endpoint>(declaration: E): E => declaration

type OutputOfSchema<S> = S extends z.ZodType ? z.output<S> : unknown
type InputOfSchema<S> = S extends z.ZodType ? z.input<S> : unknown
type IfMatchOf<E> = E extends { versioned: true; method: 'GET' }
  ? unknown
  : E extends { versioned: true }
    ? { ifMatch?: string }
    : unknown

/** The content can be read only once, as it arrives. */
export interface FormFile {
  name: string
  mimeType: string
  content: AsyncIterable<Uint8Array>
}

/** Fields may come before or after the file. */
export interface Form<Fields> {
  /** `storeFile` consumes the file as it arrives; fields are parsed afterwards. */
  read: <T>(storeFile: (file: FormFile) => Promise<T>) => Promise<{ fields: Fields; file: T }>
}

type Body<E extends Endpoint> = E extends { multipart: z.ZodType }
  ? (OutputOfSchema<E['body']> & { form?: undefined }) | { form: Form<OutputOfSchema<E['multipart']>> }
  : E extends { raw: true }
    ? RawContent
    : OutputOfSchema<E['body']>

export interface RawContent {
  content: AsyncIterable<Uint8Array>
  contentLength: number | null
  headers: Record<string, string>
  /** Path and query as sent, which some senders sign. */
  target: string
}

export interface ByteRequest {
  range?: string
  ifRange?: string
  ifNoneMatch?: string
  /** The stream continues after this event. */
  lastEventId?: string
  headOnly: boolean
}

export type InputOf<E extends Endpoint> = OutputOfSchema<E['params']> &
  OutputOfSchema<E['query']> &
  Body<E> &
  IfMatchOf<E> &
  (E extends { bytes: string } ? { byteRequest: ByteRequest } : unknown)
export type RequestOf<E extends Endpoint> = InputOfSchema<E['params']> &
  InputOfSchema<E['query']> &
  InputOfSchema<E['body']>
export type OutputOf<E extends Endpoint> = z.output<E['output']>
