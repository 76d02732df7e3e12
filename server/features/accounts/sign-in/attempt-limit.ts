import type { PublicContext } from '../../../context.ts'
import { takeToken } from '../../../database/limits.ts'
import { ApiError } from '../../../errors.ts'

/** Counts one guess at a secret, and refuses it when there have been too many. */
export async function consumeAttempt(
  ctx: Pick<PublicContext, 'sql' | 'now'>,
  limit: { name: string; capacity: number; perSeconds: number },
  who: string,
): Promise<void> {
  const { allowed, retrySeconds } = await takeToken(ctx.sql, limit, who, ctx.now())
  if (allowed) return
  throw new ApiError('RATE_LIMITED', `Too many tries: try again in ${retrySeconds} s`, {
    headers: { 'retry-after': String(retrySeconds) },
  })
}
