import type { PublicContext } from '../../../context.ts'
import { takeToken } from '../../../database/limits.ts'
import { ApiError } from '../../../errors.ts'

/** Consumes one attempt at a secret; throws RATE_LIMITED if none is left. */
export async function consumeAttempt(
  ctx: Pick<PublicContext, 'sql' | 'now'>,
  limit: { name: string; capacity: number; perSeconds: number },
  key: string,
): Promise<void> {
  const { allowed, retrySeconds } = await takeToken(ctx.sql, limit, key, ctx.now())
  if (allowed) return
  throw tooManyAttempts(retrySeconds)
}

const tooManyAttempts = (retrySeconds: number) =>
  new ApiError('RATE_LIMITED', `Too many attempts: try again in ${retrySeconds} s`, {
    headers: { 'retry-after': String(retrySeconds) },
  })

/** Attempts of a network without a delay. Later ones wait twice as long each time. */
const FREE_ATTEMPTS = 10
const DELAY_S_MAX = 300
/** Forgets one attempt per minute. */
const FORGOTTEN_PER_S = 1 / 60

type AttemptContext = Pick<PublicContext, 'sql' | 'now'>

/**
 * Counts an attempt of a network at any account or link; throws RATE_LIMITED if its last attempt was too recent. The delay
 * doubles with each attempt and does not depend on what is attempted, so that it reveals nothing about an account.
 */
export async function delayAttempt(
  { sql, now }: AttemptContext,
  kind: string,
  network: string,
): Promise<void> {
  const at = now()
  // A row of `rate_limits` whose `tokens` are the attempts, and whose `allowed` is the outcome of the last one.
  const [row] = await sql<{ tokens: number; allowed: boolean; updatedAt: string }[]>`
    insert into rate_limits as counter (key, tokens, allowed, updated_at)
    values (${keyOf(kind, network)}, 1, true, ${at})
    on conflict (key) do update set (tokens, allowed, updated_at) = (
      select case when elapsed >= delay then remembered + 1 else counter.tokens end, elapsed >= delay,
        case when elapsed >= delay then ${at}::timestamptz else counter.updated_at end
      from (select greatest(0, extract(epoch from ${at}::timestamptz - counter.updated_at)) as elapsed) past,
      lateral (select greatest(0, counter.tokens - elapsed * ${FORGOTTEN_PER_S}::float8) as remembered) count,
      lateral (select case when remembered < ${FREE_ATTEMPTS}::float8 then 0
        else least(${DELAY_S_MAX}::float8, power(2, remembered - ${FREE_ATTEMPTS}::float8)) end as delay) growth
    )
    returning tokens, allowed, updated_at as "updatedAt"`
  const { tokens, allowed, updatedAt } = row!
  if (allowed) return
  const elapsedS = (at.getTime() - Date.parse(updatedAt)) / 1000
  const delayS = Math.min(DELAY_S_MAX, 2 ** (tokens - FREE_ATTEMPTS))
  throw tooManyAttempts(Math.max(1, Math.ceil(delayS - elapsedS)))
}

/** Takes back the count of an attempt that succeeded. */
export async function forgetAttempt({ sql }: AttemptContext, kind: string, network: string): Promise<void> {
  await sql`update rate_limits set tokens = greatest(0, tokens - 1) where key = ${keyOf(kind, network)}`
}

const keyOf = (kind: string, network: string) => `delay:${kind}:${network}`
