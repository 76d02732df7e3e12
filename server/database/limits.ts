import type { Limit } from '../../contract/endpoint.ts'
import type { Sql } from './database.ts'

export interface TokenResult {
  allowed: boolean
  remaining: number
  /** Seconds until the bucket is full again. */
  resetSeconds: number
  /** Seconds until one more call is allowed. */
  retrySeconds: number
}

/** Many small refills add up to a little less than one: whoever comes exactly when they were told to is not refused. */
const ONE = 1 - 1e-9

type Bucket = Pick<Limit, 'name' | 'capacity' | 'perSeconds'>

/** Takes one token. One statement, so it holds across processes; a refused call costs nothing further. */
export async function takeToken(sql: Sql, limit: Bucket, who: string, now: Date): Promise<TokenResult> {
  const { capacity, perSeconds } = limit
  const rate = capacity / perSeconds
  const [row] = await sql<{ tokens: number; allowed: boolean }[]>`
    insert into rate_limits as bucket (key, tokens, allowed, updated_at)
    values (${`${limit.name}:${who}`}, ${capacity - 1}, true, ${now})
    on conflict (key) do update set (tokens, allowed, updated_at) = (
      select case when filled > ${ONE} then greatest(0, filled - 1) else filled end, filled > ${ONE},
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

/** Gives the tokens back, as when a sign-in has succeeded after all. */
export async function resetBucket(sql: Sql, limit: Bucket, who: string): Promise<void> {
  await sql`delete from rate_limits where key = ${`${limit.name}:${who}`}`
}
