import { z } from 'zod'

export const ERROR_STATUS = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  PROVIDER_ERROR: 502,
  UNAVAILABLE: 503,
  INSUFFICIENT_STORAGE: 507,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

export const ErrorBody = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    details: z
      .union([
        z.array(z.object({ path: z.string(), message: z.string() })),
        z.looseObject({ reason: z.string() }),
      ])
      .optional(),
    requestId: z.string(),
  }),
})

/** For OAuth endpoints, per RFC 6749 and RFC 8628. */
export const OAuthErrorBody = z.object({ error: z.string(), error_description: z.string() })

export type ErrorBody = z.output<typeof ErrorBody>
export type ErrorDetails = NonNullable<ErrorBody['error']['details']>
