import { ERROR_STATUS, type ErrorCode } from '../../../contract/errors.ts'
import { jsonOf, type OpenApiOperation } from './openapi-operation.ts'
import { plain } from './schema.ts'

export interface Answer {
  status: number
  /** The error code, or what a success means. */
  name: string
}

/** What an operation can answer: told by its declaration, and by the codes that its description names. */
export function answersOf(method: string, operation: OpenApiOperation, success: number): Answer[] {
  const { parameters, requestBody, description = '', 'x-access': access, 'x-limit': limit } = operation
  const succeeded = { status: success, name: SUCCESS[success] ?? 'Success' }
  if (speaksOAuth(operation)) return [succeeded, { status: 400, name: 'OAuth error' }, ...BROKEN]
  const takes = (name: string) => parameters.some((parameter) => parameter.name === name)
  const body = jsonOf(requestBody) && plain(jsonOf(requestBody)!)
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
    ...(method === 'GET' && takes('If-None-Match') ? [{ status: 304, name: 'Unchanged' }] : []),
    ...failures.map((code) => ({ status: ERROR_STATUS[code], name: code })),
  ]
}

/** Refuses everything with 400 and a word, whatever the reason. */
const speaksOAuth = ({ responses }: OpenApiOperation) =>
  jsonOf(responses.default)?.$ref?.endsWith('/OAuthError')

const BROKEN = (['INTERNAL', 'UNAVAILABLE'] as const).map((name) => ({ status: ERROR_STATUS[name], name }))

const SUCCESS: Record<number, string | undefined> = { 201: 'Created', 202: 'Accepted', 302: 'Elsewhere' }
