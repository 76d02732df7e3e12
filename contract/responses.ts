import { z } from 'zod'
import type { Access, Endpoint } from './endpoint.ts'
import { ERROR_STATUS, type ErrorCode } from './errors.ts'

/** The server answers with no other status or media type. */
export interface DeclaredResponse {
  status: number
  description: string
  /** Empty without a body. A range such as `image/*` covers its types. */
  mediaTypes: readonly string[]
  /** Empty unless it's an error. */
  codes: ErrorCode[]
}

const JSON_TYPE = ['application/json']
const EVENTS_TYPE = ['text/event-stream']
/** Stored files keep the type they were uploaded with. */
export const FILE_TYPES = ['application/*', 'audio/*', 'image/*', 'message/*', 'text/*', 'video/*']

/** The usual one first. */
export const declaredResponses = (endpoint: Endpoint): DeclaredResponse[] => [
  ...successesOf(endpoint),
  ...errorsOf(endpoint),
]

/** Implied by the declaration, named in the description, or listed in `failures`. */
export function declaredErrorCodes(endpoint: Endpoint): ErrorCode[] {
  const { method, access, params, description = '', failures = [] } = endpoint
  const isWrite = method !== 'GET'
  const follows: Record<ErrorCode, boolean> = {
    // Every endpoint rejects unknown query parameters.
    BAD_REQUEST: true,
    UNAUTHORIZED: access.kind !== 'public',
    // Every write rejects requests from other sites, except with `cors`. A suspended organization has no access.
    FORBIDDEN: access.kind !== 'public' || (isWrite && !endpoint.cors) || identifiesCaller(access),
    NOT_FOUND: params !== undefined || namesRecord(endpoint.body) || namesRecord(endpoint.query),
    // A body may arrive too slowly.
    REQUEST_TIMEOUT: isWrite,
    // Access may change while a write runs.
    CONFLICT: endpoint.idempotent === true || (isWrite && identifiesCaller(access)),
    PRECONDITION_FAILED: endpoint.versioned === true && isWrite,
    PAYLOAD_TOO_LARGE: isWrite,
    UNSUPPORTED_MEDIA_TYPE: isWrite,
    // An organization's waiting calls are limited.
    RATE_LIMITED: true,
    // Reported before routing, so always in the API format.
    HEADERS_TOO_LARGE: true,
    INTERNAL: true,
    PROVIDER_ERROR: false,
    UNAVAILABLE: true,
    // Even a read may write: a large sort uses the database's disk, and the first read completes an upload.
    INSUFFICIENT_STORAGE: true,
  }
  return (Object.keys(ERROR_STATUS) as ErrorCode[]).filter(
    (code) => follows[code] || failures.includes(code) || new RegExp(`\\b${code}\\b`).test(description),
  )
}

/** The record may not exist. */
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
    ...(isFile ? [success(206, 'Requested range of the file', FILE_TYPES)] : []),
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

/** OAuth uses 400 for most client errors. */
export function errorStatus(format: Endpoint['errors'], code: ErrorCode): number {
  const status = ERROR_STATUS[code]
  if (!format || status >= 500 || code === 'HEADERS_TOO_LARGE') return status
  return format === 'oauth-server' && (status === 401 || status === 429) ? status : 400
}

/** One response per status. */
function errorsOf(endpoint: Endpoint): DeclaredResponse[] {
  const statusOf = (code: ErrorCode) => errorStatus(endpoint.errors, code)
  const codes = declaredErrorCodes(endpoint)
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
