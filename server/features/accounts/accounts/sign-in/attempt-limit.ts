import type { PublicContext } from '../../../../context.ts'
import { takeToken } from '../../../../database/limits.ts'
import { ApiError } from '../../../../errors.ts'

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

export const tooManyAttempts = (retrySeconds: number) =>
  new ApiError('RATE_LIMITED', `Too many attempts: try again in ${retrySeconds} s`, {
    headers: { 'retry-after': String(retrySeconds) },
  })
