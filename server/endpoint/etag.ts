import type { FastifyRequest } from 'fastify'

export const etagOf = (version: string | number): string => `"${version}"`

/** Whether the reader already has this version; a read then answers 304 without a body. */
export function isFresh(request: FastifyRequest, etag: string): boolean {
  const given = request.headers['if-none-match']
  if (given === undefined || !['GET', 'HEAD'].includes(request.method)) return false
  return given.split(',').some((candidate) => ['*', etag, `W/${etag}`].includes(candidate.trim()))
}

/** The version that a write insists on. `*` asks only that the record exists, which every write checks anyway. */
export function ifMatchOf(request: FastifyRequest): string | undefined {
  const given = request.headers['if-match']?.trim()
  return given === undefined || given === '*' ? undefined : given.replace(/^"(.*)"$/, '$1')
}
