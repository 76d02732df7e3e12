import type { FastifyRequest } from 'fastify'
import { matchesEtag } from '../endpoint/etag.ts'

/** Whether a read answers 304, because the client has this version. */
export function isNotModified({ method, headers }: FastifyRequest, etag: string): boolean {
  const ifNoneMatch = headers['if-none-match']
  return ifNoneMatch !== undefined && ['GET', 'HEAD'].includes(method) && matchesEtag(ifNoneMatch, etag)
}
