import type { FastifyRequest } from 'fastify'
import { badRequest } from '../../errors.ts'

const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i

/** Refuses a request without a valid host, as RFC 9112 requires: URLs and the passkey domain are derived from it. */
export function requireHost(request: FastifyRequest): void {
  // HTTP/1.0 has no such header.
  if (request.headers.host === undefined && request.raw.httpVersion === '1.0') return
  const { host } = request
  if (!host || !HOST.test(host) || !URL.canParse(`http://${host}`)) {
    throw badRequest('The request requires a valid Host header')
  }
}
