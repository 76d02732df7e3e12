import type { z } from 'zod'
import type { Scope } from './accounts/scopes.ts'

/** One API call as a value. Routing, validation, serialisation, OpenAPI, the client and the access tests read it. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/api/v1/${string}`
  summary: string
  description?: string
  access: Access
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  output: z.ZodType
  /** The status of an ordinary success. Default 200. */
  status?: 200 | 201 | 202 | 302
  /** Wraps the answer as `{ success: true, data }`; see DECISIONS.md for where that holds. */
  envelope?: true
  /** Honours the `Idempotency-Key` header. */
  idempotent?: true
  /** Sends `etag`; reads honour `if-none-match`, writes honour `if-match`. */
  versioned?: true
  limit?: Limit
  /** Sends a browser elsewhere instead of answering with a body. */
  redirects?: true
  /** Takes a form with one `file` as well (`multipart/form-data`); these are its other fields. */
  multipart?: z.ZodObject
  /** The body is bytes, handed over as a stream. */
  raw?: true
  /** Answers with bytes instead of JSON, always or where the query asks for it; or with events as they happen. */
  bytes?: 'always' | 'sometimes' | 'events'
  /** The largest body, where it is not the 128 KB of every other endpoint. */
  bodyBytesMax?: number
  /** Also takes a form (`application/x-www-form-urlencoded`), as OAuth clients send it. */
  form?: true
  /** Failures read as OAuth words them: 400 `{ error, error_description }`. */
  errors?: 'oauth'
  /** Offered over MCP as a read or a write tool; absent means REST only. */
  tool?: 'read' | 'write'
}

/** A token bucket: `capacity` calls at once, refilled evenly so that an empty bucket is full after `perSeconds`. */
export interface Limit {
  name: string
  by: 'caller' | 'address' | 'caller and address'
  capacity: number
  perSeconds: number
  /** How a refusal reads; the specification fixes key creation at BAD_REQUEST `Too many requests`. */
  refusal?: 'BAD_REQUEST'
}

export type Access =
  /** Anybody. `identify`: whoever is signed in is known to the function, which decides what that opens. */
  | { kind: 'public'; identify?: true }
  /** Whoever holds an address or a body that the function finds to be signed. */
  | { kind: 'signature' }
  /**
   * Any signed-in person or API key; `scope` is what a key must carry. `share`: also a guest, whose ticket for this
   * project allows at least that.
   */
  | {
      kind: 'member'
      scope?: Scope
      role?: RequiredRole
      steppedUpIf?: SteppedUpIf
      share?: 'view' | 'edit'
    }
  /** A browser session; API keys are refused with "<area> requires a browser session". */
  | { kind: 'browser'; area: string; operator?: true; role?: RequiredRole }
  /** A browser session whose step-up window is open. `orSelf`: a key may also do it to itself. */
  | { kind: 'stepped-up'; area: string; orSelf?: true; role?: RequiredRole }

/** The least role in the organization; owners are also admins. */
export type RequiredRole = 'admin' | 'owner'

/** Asked with this query set to `true`, the endpoint is for stepped-up browser sessions only. */
export interface SteppedUpIf {
  query: string
  area: string
}

type Kind<K extends Access['kind']> = Extract<Access, { kind: K }>

export const open = (options: { identify?: true } = {}): Kind<'public'> => ({ kind: 'public', ...options })
export const signed = (): Kind<'signature'> => ({ kind: 'signature' })
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
  options: { orSelf?: true; role?: RequiredRole } = {},
): Kind<'stepped-up'> => ({
  kind: 'stepped-up',
  area,
  ...options,
})

/** For secrets that could be guessed at, beside limits of their own. */
export const triesPerAddress = (name: string): Limit => ({
  name,
  by: 'address',
  capacity: 30,
  perSeconds: 60,
})

export const endpoint = <const E extends Endpoint>(declaration: E): E => declaration

type Parsed<S> = S extends z.ZodType ? z.output<S> : unknown
type Given<S> = S extends z.ZodType ? z.input<S> : unknown
type Versioned<E> = E extends { versioned: true; method: 'GET' }
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
  ? (Parsed<E['body']> & { form?: undefined }) | { form: Form<Parsed<E['multipart']>> }
  : E extends { raw: true }
    ? RawContent
    : Parsed<E['body']>

/** A body that is passed on as it arrives, with the headers that describe it. */
export interface RawContent {
  content: AsyncIterable<Uint8Array>
  contentLength: number | null
  headers: Record<string, string>
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

/** What a domain function receives: parameters, query and body in one object. */
export type InputOf<E extends Endpoint> = Parsed<E['params']> &
  Parsed<E['query']> &
  Body<E> &
  Versioned<E> &
  (E extends { bytes: string } ? { byteRequest: ByteRequest } : unknown)
/** What a caller of the client passes, before defaults are filled in. */
export type RequestOf<E extends Endpoint> = Given<E['params']> & Given<E['query']> & Given<E['body']>
export type OutputOf<E extends Endpoint> = z.output<E['output']>
