import type { AuthorizationResponseError, ResponseBodyError } from 'openid-client'

/** The codes of the library's errors: comparing classes would load it in every process. */
const REDIRECT = 'OAUTH_AUTHORIZATION_RESPONSE_ERROR'
const BODY = 'OAUTH_RESPONSE_BODY_ERROR'

/** Whether the user declined at the provider. */
export const isAccessDenied = (error: unknown) =>
  isErrorResponse(error) && error.code === REDIRECT && error.error === 'access_denied'

/** The reason for the log of the operator. Messages and codes only: the cause of an error can contain tokens. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  const detail = isErrorResponse(error) ? error.error : cause instanceof Error ? cause.message : undefined
  return detail ? `${message}: ${detail}` : message
}

function isErrorResponse(error: unknown): error is AuthorizationResponseError | ResponseBodyError {
  const { code } = error as { code?: unknown }
  return code === REDIRECT || code === BODY
}
