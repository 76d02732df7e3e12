import { z } from 'zod'
import type { Access, Endpoint } from './endpoint.ts'
import { ERROR_STATUS, type ErrorCode } from './errors.ts'

/** A response that an endpoint may give. The server answers with no other status and no other media type. */
export interface DeclaredResponse {
  status: number
  description: string
  /** Empty if the response has no body. A range such as `image/*` covers its types. */
  mediaTypes: readonly string[]
  /** The codes of an error; empty for other responses. */
  codes: ErrorCode[]
}

const JSON_TYPE = ['application/json']
const EVENTS_TYPE = ['text/event-stream']
/** The types of stored files, which have the type that they were uploaded with. */
export const FILE_TYPES = ['application/*', 'audio/*', 'image/*', 'message/*', 'text/*', 'video/*']

/** Every response of an endpoint, the usual one first. */
export const responsesOf = (endpoint: Endpoint): DeclaredResponse[] => [
  ...successesOf(endpoint),
  ...errorsOf(endpoint),
]

/** The error codes that follow from the declaration, that the description names, or that `failures` lists. */
export function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  const { method, access, params, description = '', failures = [] } = endpoint
  const isWrite = method !== 'GET'
  const follows: Record<ErrorCode, boolean> = {
    // Every endpoint rejects unknown query parameters.
    BAD_REQUEST: true,
    UNAUTHORIZED: access.kind !== 'public',
    // Every write rejects requests from other sites, except with `cors`; a suspended organization has no access.
    FORBIDDEN: access.kind !== 'public' || (isWrite && !endpoint.cors) || identifiesCaller(access),
    NOT_FOUND: params !== undefined || namesRecord(endpoint.body) || namesRecord(endpoint.query),
    // A body may arrive too slowly.
    REQUEST_TIMEOUT: isWrite,
    // Access may change while a write runs.
    CONFLICT: endpoint.idempotent === true || (isWrite && identifiesCaller(access)),
    PRECONDITION_FAILED: endpoint.versioned === true && isWrite,
    PAYLOAD_TOO_LARGE: isWrite,
    UNSUPPORTED_MEDIA_TYPE: isWrite,
    // The number of waiting calls of an organization is limited.
    RATE_LIMITED: true,
    // The server reports it before routing, so always in the API format.
    HEADERS_TOO_LARGE: true,
    INTERNAL: true,
    PROVIDER_ERROR: false,
    UNAVAILABLE: true,
    // Even a read may write: a large sort uses the disk of the database, and the first read of an upload completes it.
    INSUFFICIENT_STORAGE: true,
  }
  return (Object.keys(ERROR_STATUS) as ErrorCode[]).filter(
    (code) => follows[code] || failures.includes(code) || new RegExp(`\\b${code}\\b`).test(description),
  )
}

/** Whether a field is the id of a record, which may not exist. */
const namesRecord = (schema: z.ZodType | undefined) =>
  schema instanceof z.ZodObject && Object.keys(schema.shape).some((name) => /^id$|Id$/.test(name))

const identifiesCaller = (access: Access) =>
  access.kind === 'public' ? access.identify === true : access.kind !== 'signature'

function successesOf(endpoint: Endpoint): DeclaredResponse[] {
  const { status = 200, bytes, redirects, versioned, method, also = {} } = endpoint
  const mediaTypes = mediaTypesOf(endpoint)
  const isFile = bytes === 'always' || bytes === 'sometimes'
  return [
    ...(bytes === 'reply'
      ? [success(status, 'Success', []), success(202, 'Accepted', []), success(204, 'No content', [])]
      : []),
    success(status, redirects ? 'Redirect' : 'Success', redirects ? [] : mediaTypes),
    ...Object.entries(also).map(([other, description]) =>
      success(Number(other), description, Number(other) < 300 ? mediaTypes : []),
    ),
    ...(endpoint.eventsIf ? [success(200, endpoint.eventsIf, EVENTS_TYPE)] : []),
    ...(isFile ? [success(206, 'The requested range of the file', FILE_TYPES)] : []),
    ...(isFile || (versioned && method === 'GET')
      ? [success(304, 'Not modified: the etag in `If-None-Match` still matches', [])]
      : []),
    ...(isFile ? [success(416, 'The requested range is outside the file', [])] : []),
  ]
}

const success = (status: number, description: string, mediaTypes: readonly string[]): DeclaredResponse => ({
  status,
  description,
  mediaTypes,
  codes: [],
})

function mediaTypesOf({ bytes }: Endpoint): readonly string[] {
  if (bytes === 'events') return EVENTS_TYPE
  if (bytes === 'reply') return [...JSON_TYPE, 'text/plain', 'text/xml']
  if (bytes === 'archive') return ['application/zip']
  if (bytes === 'always') return FILE_TYPES
  return bytes === 'sometimes' ? [...JSON_TYPE, ...FILE_TYPES] : JSON_TYPE
}

/** The status of an error in a format: OAuth has 400 for most errors of the client. */
export function errorStatusOf(format: Endpoint['errors'], code: ErrorCode): number {
  const status = ERROR_STATUS[code]
  if (!format || status >= 500 || code === 'HEADERS_TOO_LARGE') return status
  return format === 'oauth-server' && (status === 401 || status === 429) ? status : 400
}

/** One response per status. */
function errorsOf(endpoint: Endpoint): DeclaredResponse[] {
  const statusOf = (code: ErrorCode) => errorStatusOf(endpoint.errors, code)
  const codes = errorCodesOf(endpoint)
  return [...new Set(codes.map(statusOf))].map((status) => {
    const codesOfStatus = codes.filter((code) => statusOf(code) === status)
    return {
      status,
      description:
        endpoint.errors && status !== ERROR_STATUS.HEADERS_TOO_LARGE
          ? 'OAuth error'
          : codesOfStatus.join(', '),
      mediaTypes: JSON_TYPE,
      codes: codesOfStatus,
    }
  })
}
