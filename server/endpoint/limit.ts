import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Limit } from '../../contract/endpoint.ts'
import type { Sql } from '../database/database.ts'
import { type Take, takeToken } from '../database/limits.ts'
import { ApiError } from '../errors.ts'

/** Takes a token for this request, says on the answer how many are left, and refuses when none is. */
export async function enforceLimit(
  sql: Sql,
  limit: Limit,
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date,
): Promise<void> {
  const take = await takeToken(sql, limit, whoOf(limit, request), now)
  reply.headers({
    'ratelimit-limit': String(limit.capacity),
    'ratelimit-remaining': String(take.remaining),
    'ratelimit-reset': String(take.resetSeconds),
  })
  if (!take.allowed) throw refusal(limit, take)
}

function whoOf(limit: Limit, request: FastifyRequest): string {
  const user = request.caller?.userId
  if (limit.by === 'address' || !user) return request.ip
  return limit.by === 'caller' ? user : `${user} ${request.ip}`
}

function refusal(limit: Limit, { retrySeconds }: Take): ApiError {
  const headers = { 'retry-after': String(retrySeconds) }
  const details = { reason: 'rate_limited' }
  if (limit.refusal) return new ApiError(limit.refusal, 'Too many requests', { headers, details })
  return new ApiError('RATE_LIMITED', `Too many requests: try again in ${retrySeconds} s`, { headers })
}
