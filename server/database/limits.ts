import type { Limit } from '../../contract/endpoint.ts'
import type { Sql } from './database.ts'

export interface TokenResult {
  allowed: boolean
  remaining: number
  /** Until the bucket is full again. */
  resetSeconds: number
  /** Until one more call is allowed. */
  retrySeconds: number
}

/** Many small refills sum to slightly less than one, and a retry at exactly `retry-after` must not be refused. */
const ONE_TOKEN = 1 - 1e-9

type Bucket = Pick<Limit, 'name' | 'capacity' | 'perSeconds'>

/** One statement, so the limit holds across processes. A refused call takes no token. */
export async function takeToken(sql: Sql, limit: Bucket, subject: string, now: Date): Promise<TokenResult> {
  const { capacity, perSeconds } = limit
  const rate = capacity / perSeconds
  const [row] = await sql<{ tokens: number; allowed: boolean }[]>`
    insert into rate_limits as bucket (key, tokens, allowed, updated_at)
    values (${`${limit.name}:${subject}`}, ${capacity - 1}, true, ${now})
    on conflict (key) do update set (tokens, allowed, updated_at) = (
      select case when filled > ${ONE_TOKEN} then greatest(0, filled - 1) else filled end, filled > ${ONE_TOKEN},
        greatest(${now}, bucket.updated_at)
      from (select least(
        ${capacity}::float8,
        bucket.tokens + ${rate}::float8 * greatest(0, extract(epoch from ${now} - bucket.updated_at))
      ) as filled) as refill
    )
    returning tokens, allowed`
  const { tokens, allowed } = row!
  return {
    allowed,
    remaining: Math.floor(tokens),
    resetSeconds: Math.ceil((capacity - tokens) / rate),
    retrySeconds: Math.max(1, Math.ceil((1 - tokens) / rate)),
  }
}

/** Refills the bucket, for example after a successful sign-in. */
export async function resetBucket(sql: Sql, limit: Bucket, subject: string): Promise<void> {
  await sql`delete from rate_limits where key = ${`${limit.name}:${subject}`}`
}
