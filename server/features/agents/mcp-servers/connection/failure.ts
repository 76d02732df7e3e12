import type * as Mcp from '@modelcontextprotocol/client'
import { dictionary } from '../../../../../contract/dictionary.ts'
import { failureMessage } from '../../../../outbound/lookup.ts'
import type { GuardedFetch, SessionLimits } from './guarded-fetch.ts'

const DETAIL_CHARACTERS = 300

/** The tokens are missing, or the authorization server refused them. */
export class SignInNeeded extends Error {}

/** `message` comes from Atrium, `detail` from the other server. */
export interface Failure {
  kind: 'sign_in' | 'canceled' | 'failed' | 'answered'
  message: string
  detail: string | null
}

export function describeMcpFailure(
  mcp: typeof Mcp,
  error: unknown,
  session: Pick<GuardedFetch, 'exceeded' | 'signal'>,
  { bytesMax, timeoutMs }: SessionLimits,
): Failure {
  const failed = (message: string, detail: string | null = null): Failure => ({
    kind: 'failed',
    message,
    detail,
  })
  const signIn = causeOf(error, SignInNeeded)
  if (signIn) return { kind: 'sign_in', message: signIn.message, detail: null }
  if (session.exceeded() === 'bytes') return failed(`The server sends more than ${bytesMax / 1_048_576} MB`)
  if (session.exceeded() === 'values') return failed('The server’s answer has too many values')
  if (session.exceeded() === 'time') return failed(`No response within ${timeoutMs / 1000} seconds`)
  if (session.signal.aborted) return { kind: 'canceled', message: 'The call was canceled', detail: null }
  if (error instanceof mcp.UnauthorizedError) return rejectedCredentials(401)
  if (error instanceof mcp.InsufficientScopeError) {
    const message = 'The server requires more scopes than the sign-in granted: sign in again'
    return { kind: 'sign_in', message, detail: null }
  }
  if (error instanceof mcp.ProtocolError) {
    const message = `The server responded with the error ${error.code}`
    return { kind: 'answered', message, detail: clean(error.message) }
  }
  const http = causeOf(error, mcp.SdkHttpError)
  if (http) {
    const { status } = http
    if (status === 401) return rejectedCredentials(401)
    if (status !== undefined && status >= 300 && status < 400)
      return failed('The server redirects to another URL, which is not followed: enter the final URL')
    return failed(`The server responded with ${status ?? 'an invalid response'}`)
  }
  if (error instanceof mcp.SdkError)
    return failed(SDK_MESSAGES[error.code] ?? networkMessage(error) ?? NO_MCP)
  return failed(networkMessage(error) ?? NO_MCP)
}

const NO_MCP = 'The server does not respond as an MCP server over Streamable HTTP'

const SDK_MESSAGES: Partial<Record<string, string>> = dictionary({
  UNSUPPORTED_RESULT_TYPE: 'The server requests user input during the call, which is not supported',
  LIST_PAGINATION_EXCEEDED: 'The server lists its tools on too many pages',
  CLIENT_HTTP_UNEXPECTED_CONTENT: NO_MCP,
  INVALID_RESULT: 'The server’s response isn’t valid',
  REQUEST_TIMEOUT: 'The server does not respond',
})

const rejectedCredentials = (status: number): Failure => ({
  kind: 'failed',
  message: `The server rejects the credentials (${status})`,
  detail: null,
})

/** The innermost cause names the network failure. */
function networkMessage(error: unknown): string | null {
  let found = error
  while (found instanceof Error && found.cause instanceof Error) found = found.cause
  if (!(found instanceof Error)) return null
  const isNetworkError = 'code' in found || found.constructor.name === 'NotPublicError' || found !== error
  return isNetworkError ? failureMessage(found) : null
}

function causeOf<T>(error: unknown, kind: abstract new (...args: never[]) => T): T | null {
  for (let found = error; found instanceof Error; found = found.cause) if (found instanceof kind) return found
  return null
}

export const clean = (text: string) =>
  text
    .slice(0, DETAIL_CHARACTERS)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .toWellFormed()
    .trim()
