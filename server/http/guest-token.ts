import type { FastifyRequest } from 'fastify'

/** `x-share-ticket` is the header's name before 0.7.1, accepted until 0.8. */
export function readGuestToken({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const token = headers['x-guest-token'] ?? headers['x-share-ticket']
  return typeof token === 'string' ? token : undefined
}
