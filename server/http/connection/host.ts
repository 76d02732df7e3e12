import type { FastifyRequest } from 'fastify'
import { badRequest } from '../../errors.ts'

const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i

/** A server has few names, but clients can send any. */
const HOSTS_MAX = 100

/** Required by RFC 9112: URLs and the passkey domain derive from the host. */
export function createHostCheck() {
  const validHosts = new Set<string>()
  return (request: FastifyRequest): void => {
    // HTTP/1.0 has no Host header.
    if (request.headers.host === undefined && request.raw.httpVersion === '1.0') return
    const { host } = request
    if (validHosts.has(host)) return
    if (!host || !HOST.test(host) || !URL.canParse(`http://${host}`)) {
      throw badRequest('The request requires a valid Host header')
    }
    if (validHosts.size < HOSTS_MAX) validHosts.add(host)
  }
}
