import type { Limit } from '../../contract/endpoint.ts'
import type { Caller } from '../context.ts'
import type { Sql } from '../database/database.ts'
import { type TokenResult, takeToken } from '../database/limits.ts'
import { ApiError } from '../errors.ts'
import { networkOf } from '../security/client-network.ts'

type Headers = Record<string, string>

interface Subject {
  caller: Pick<Caller, 'userId'> | null
  ip: string
}

/** Takes one token. Returns the `ratelimit-*` headers; a refusal carries them as well. */
export async function enforceLimit(sql: Sql, limit: Limit, subject: Subject, now: Date): Promise<Headers> {
  const tokenResult = await takeToken(sql, limit, bucketOf(limit, subject), now)
  const headers = {
    'ratelimit-limit': String(limit.capacity),
    'ratelimit-remaining': String(tokenResult.remaining),
    'ratelimit-reset': String(tokenResult.resetSeconds),
  }
  if (!tokenResult.allowed) throw refusal(limit, tokenResult, headers)
  return headers
}

function bucketOf({ by }: Limit, { caller, ip }: Subject): string {
  if (by === 'ip' || !caller) return networkOf(ip)
  return by === 'caller' ? caller.userId : `${caller.userId} ${networkOf(ip)}`
}

function refusal(limit: Limit, { retrySeconds }: TokenResult, limitHeaders: Headers): ApiError {
  const headers = { ...limitHeaders, 'retry-after': String(retrySeconds) }
  const details = { reason: 'rate_limited' }
  if (limit.refusal) return new ApiError(limit.refusal, 'Too many requests', { headers, details })
  return new ApiError('RATE_LIMITED', `Too many requests: try again in ${retrySeconds} s`, { headers })
}
