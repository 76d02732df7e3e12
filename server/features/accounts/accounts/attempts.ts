import type { PublicContext } from '../../../context.ts'
import { takeToken } from '../../../database/limits.ts'
import { ApiError } from '../../../errors.ts'

/** Throws RATE_LIMITED if no attempt is left. */
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

/** A network's attempts without a delay. Later ones wait twice as long each time. */
const FREE_ATTEMPTS = 10
const DELAY_S_MAX = 300
/** Forgets one attempt per minute. */
const FORGOTTEN_PER_S = 1 / 60

type AttemptContext = Pick<PublicContext, 'sql' | 'now'>

/**
 * Counts per network, across accounts and links. Throws RATE_LIMITED if the last attempt was too recent. The delay
 * doubles with each attempt and doesn't depend on the target, so it reveals nothing about an account.
 */
export async function delayAttempt(
  { sql, now }: AttemptContext,
  kind: string,
  network: string,
): Promise<void> {
  const at = now()
  // In this `rate_limits` row, `tokens` counts attempts and `allowed` is the last outcome.
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

export async function forgetAttempt({ sql }: AttemptContext, kind: string, network: string): Promise<void> {
  await sql`update rate_limits set tokens = greatest(0, tokens - 1) where key = ${keyOf(kind, network)}`
}

const keyOf = (kind: string, network: string) => `delay:${kind}:${network}`
