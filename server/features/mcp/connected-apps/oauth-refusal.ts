import { ApiError } from '../../../errors.ts'

/** The reason is the error code of OAuth, which `errors: 'oauth-server'` sends as `error`. */
export const refusal = (reason: string, message: string) =>
  new ApiError('BAD_REQUEST', message, { details: { reason } })

/** A client that receives this error registers again, per RFC 6749 and RFC 7591. */
export const invalidClient = (message: string, isBasic: boolean) =>
  new ApiError('UNAUTHORIZED', message, {
    details: { reason: 'invalid_client' },
    headers: isBasic ? { 'www-authenticate': 'Basic realm="atrium"' } : {},
  })
