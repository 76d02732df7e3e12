import type { FastifyRequest } from 'fastify'

export function readGuestToken({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const token = headers['x-guest-token']
  return typeof token === 'string' ? token : undefined
}
