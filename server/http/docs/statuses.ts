import { ERROR_STATUS, type ErrorCode } from '../../../contract/errors.ts'
import { jsonOf, type OpenApiOperation } from './openapi-operation.ts'
import { normalize } from './schema.ts'

export interface Status {
  status: number
  /** The error code, or the meaning of a success status. */
  name: string
}

/** The status codes of an operation, derived from its declaration and from the codes in its description. */
export function statusesOf(method: string, operation: OpenApiOperation, success: number): Status[] {
  const { parameters, requestBody, description = '', 'x-access': access, 'x-limit': limit } = operation
  const succeeded = { status: success, name: SUCCESS[success] ?? 'Success' }
  if (speaksOAuth(operation)) return [succeeded, { status: 400, name: 'OAuth error' }, ...BROKEN]
  const takes = (name: string) => parameters.some((parameter) => parameter.name === name)
  const body = jsonOf(requestBody) && normalize(jsonOf(requestBody)!)
  const namesRecord = parameters.some((parameter) => parameter.in === 'path') || body?.properties?.id
  const codes: Record<ErrorCode, unknown> = {
    BAD_REQUEST: parameters.length > 0 || body || limit?.refusal,
    UNAUTHORIZED: access.kind !== 'public',
    FORBIDDEN: access.kind !== 'public',
    NOT_FOUND: namesRecord,
    CONFLICT: takes('Idempotency-Key'),
    PRECONDITION_FAILED: takes('If-Match'),
    PAYLOAD_TOO_LARGE: body,
    UNSUPPORTED_MEDIA_TYPE: body,
    RATE_LIMITED: limit && !limit.refusal,
    INTERNAL: true,
    PROVIDER_ERROR: false,
    UNAVAILABLE: true,
  }
  const failures = (Object.keys(codes) as ErrorCode[]).filter(
    (code) => codes[code] || description.includes(code),
  )
  return [
    succeeded,
    ...(method === 'GET' && takes('If-None-Match') ? [{ status: 304, name: 'Not modified' }] : []),
    ...failures.map((code) => ({ status: ERROR_STATUS[code], name: code })),
  ]
}

/** OAuth endpoints return 400 for every error. */
const speaksOAuth = ({ responses }: OpenApiOperation) =>
  jsonOf(responses.default)?.$ref?.endsWith('/OAuthError')

const BROKEN = (['INTERNAL', 'UNAVAILABLE'] as const).map((name) => ({ status: ERROR_STATUS[name], name }))

const SUCCESS: Record<number, string | undefined> = { 201: 'Created', 202: 'Accepted', 302: 'Found' }
