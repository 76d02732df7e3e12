import type { z } from 'zod'
import type { Scope } from './accounts/scopes.ts'
import type { ErrorCode } from './errors.ts'

/** An endpoint as a value. Routing, validation, serialization, OpenAPI, the client and the access tests read it. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/api/v1/${string}` | OAuthPath
  summary: string
  /** Error codes that the description names count as declared. */
  description?: string
  access: Access
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  output: z.ZodType
  /** Callers below this role in the organization get these fields instead of `output`. */
  reduced?: { below: RequiredRole; output: z.ZodType }
  /** The status of a success. Default 200. */
  status?: 200 | 201 | 202 | 302
  /** Other statuses that are not errors, with the case in which they occur. */
  also?: Partial<Record<200 | 302, string>>
  /** Error codes that follow neither from the rest of the declaration nor from the description. */
  failures?: readonly ErrorCode[]
  /** A malformed id is BAD_REQUEST instead of NOT_FOUND; connections require it by specification. */
  malformedId?: 'BAD_REQUEST'
  /** Wraps the response as `{ success: true, data }`; docs/decisions/everywhere.md lists where. */
  envelope?: true
  /** Supports the `Idempotency-Key` header. */
  idempotent?: true
  /** Sends `etag`; reads support `if-none-match`, writes support `if-match`. */
  versioned?: true
  limit?: Limit
  /**
   * Reads or writes a whole project. Organizations take turns for these calls, which have a queue and database
   * connections of their own.
   */
  heavy?: true
  /** Only reads, and may be expensive: a standby runs it if the operator has configured one (DATABASE_READ_URL). */
  standby?: true
  /** Responds with a redirect instead of a body. */
  redirects?: true
  /** Also accepts `multipart/form-data` with one `file`; this is the schema of its other fields. */
  multipart?: z.ZodObject
  /** The body is binary and is passed to the handler as a stream. */
  raw?: true
  /**
   * Responds with a file instead of JSON, always or depending on the query; with a ZIP archive; with server-sent events; or
   * with a text or nothing, as the sender of a `reply` expects.
   */
  bytes?: 'always' | 'sometimes' | 'archive' | 'events' | 'reply'
  /** The case in which the response is 200 with server-sent events instead. */
  eventsIf?: string
  /** The maximum size of the body. Default 128 KB. */
  bodyBytesMax?: number
  /** Also accepts `application/x-www-form-urlencoded`, which OAuth clients send. */
  form?: true
  /**
   * Errors have the OAuth format `{ error, error_description }`, with status 400; those of the authorization server also
   * have 401 and 429.
   */
  errors?: 'oauth' | 'oauth-server'
  /** Pages of other origins may call it. The browser sends no cookies, and the endpoint identifies no caller. */
  cors?: true
  /** Concerns the account of the caller rather than data of the organization: available during a suspension. */
  whileSuspended?: true
  /** Offered over MCP as a read or a write tool; absent: REST only. */
  tool?: 'read' | 'write'
}

/** Paths at the root of the server, where RFC 8414 and RFC 9728 require them or clients expect them by default. */
type OAuthPath = '/token' | '/register' | '/revoke' | `/.well-known/${string}`

/** A token bucket: allows bursts of `capacity` calls, and refills evenly from empty to full in `perSeconds`. */
export interface Limit {
  name: string
  by: 'caller' | 'ip' | 'caller and ip'
  capacity: number
  perSeconds: number
  /** The error code of a refusal. Default RATE_LIMITED; key creation responds with BAD_REQUEST by specification. */
  refusal?: 'BAD_REQUEST'
}

export type Access =
  /** No credential required. `identify`: the handler receives the caller if the request has a valid credential. */
  | { kind: 'public'; identify?: true }
  /** Requires a signed URL or a signed body, which the handler verifies. */
  | { kind: 'signature' }
  /**
   * Any signed-in user or API key; a key must have the `scope`. `share`: also a guest of a share link that grants at
   * least this access to the project. `edits`, here and below: the feature refuses users with view-only access to the
   * project or folder.
   */
  | {
      kind: 'member'
      scope?: Scope
      role?: RequiredRole
      edits?: true
      steppedUpIf?: SteppedUpIf
      share?: 'view' | 'comment' | 'edit'
    }
  /** A browser session. API keys are refused with "<area> requires a browser session". */
  | { kind: 'browser'; area: string; operator?: true; role?: RequiredRole }
  /** A browser session whose step-up window is open. `orSelf`: also an API key, if `:id` is its own id. */
  | { kind: 'stepped-up'; area: string; orSelf?: true; operator?: true; role?: RequiredRole; edits?: true }

/** The minimum role in the organization; owners are also admins. */
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

/** Slows down guessing of secrets, in addition to the attempt limits of the features. */
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

/** The file of a form. Its content is readable once, while it arrives. */
export interface FormFile {
  name: string
  mimeType: string
  content: AsyncIterable<Uint8Array>
}

/** A form that has not been read yet. Its fields may come before or after the file. */
export interface Form<Fields> {
  /** Reads the form to its end. `storeFile` consumes the file while it arrives; the fields are parsed afterwards. */
  read: <T>(storeFile: (file: FormFile) => Promise<T>) => Promise<{ fields: Fields; file: T }>
}

type Body<E extends Endpoint> = E extends { multipart: z.ZodType }
  ? (OutputOfSchema<E['body']> & { form?: undefined }) | { form: Form<OutputOfSchema<E['multipart']>> }
  : E extends { raw: true }
    ? RawContent
    : OutputOfSchema<E['body']>

/** A body that is passed on as it arrives, with the headers that describe it. */
export interface RawContent {
  content: AsyncIterable<Uint8Array>
  contentLength: number | null
  headers: Record<string, string>
  /** The path and the query of the URL as they were sent, which some senders sign. */
  target: string
}

/** The range and conditional headers of a request for bytes or events. */
export interface ByteRequest {
  range?: string
  ifRange?: string
  ifNoneMatch?: string
  /** The id of the last event that the subscriber received; the stream continues after it. */
  lastEventId?: string
  /** A HEAD request: headers only. */
  headOnly: boolean
}

/** The input of a handler: parameters, query and body in one object. */
export type InputOf<E extends Endpoint> = OutputOfSchema<E['params']> &
  OutputOfSchema<E['query']> &
  Body<E> &
  IfMatchOf<E> &
  (E extends { bytes: string } ? { byteRequest: ByteRequest } : unknown)
/** The input of a client call, before defaults are applied. */
export type RequestOf<E extends Endpoint> = InputOfSchema<E['params']> &
  InputOfSchema<E['query']> &
  InputOfSchema<E['body']>
export type OutputOf<E extends Endpoint> = z.output<E['output']>
