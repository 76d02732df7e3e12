import { dictionary } from '../../contract/dictionary.ts'
import { NotPublicError } from './lookup.ts'

/** For the member who manages the URL: the failure, without details of this machine. */
export function failureMessage(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof NotPublicError) return message
  if (code && code in MESSAGES) return MESSAGES[code]!
  if (code?.startsWith('ERR_TLS') || code?.includes('CERT') || /certificate/i.test(message)) {
    return `The certificate is not valid: ${message}`
  }
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL')) return 'The server does not support TLS'
  return message || 'The request failed'
}

const MESSAGES: Record<string, string> = dictionary({
  ENOTFOUND: 'The host name does not resolve to an IP address',
  ECONNREFUSED: 'Connection refused: no server is listening at this URL',
  ECONNRESET: 'The connection was closed before the response was complete',
  UND_ERR_SOCKET: 'The connection was closed before the response was complete',
  UND_ERR_CONNECT_TIMEOUT: 'No connection within the time limit',
  UND_ERR_HEADERS_OVERFLOW: 'The response headers are too large',
  EHOSTUNREACH: 'The host is unreachable',
  ENETUNREACH: 'The host is unreachable',
})
