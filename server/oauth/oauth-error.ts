import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'

/** Whether the user declined at the provider. */
export const isAccessDenied = (error: unknown) =>
  error instanceof AuthorizationResponseError && error.error === 'access_denied'

/** The reason for the log of the operator. Messages and codes only: the cause of an error can hold tokens. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  const detail = isErrorResponse(error) ? error.error : cause instanceof Error ? cause.message : undefined
  return detail ? `${message}: ${detail}` : message
}

const isErrorResponse = (error: unknown) =>
  error instanceof AuthorizationResponseError || error instanceof ResponseBodyError
