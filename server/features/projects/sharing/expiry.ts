import type { Context } from '../../../context.ts'
import { badField } from '../../../errors.ts'

/** Refuses an expiry in the past. */
export function requireFuture(ctx: Context, expiresAt: string | null | undefined): void {
  if (expiresAt && new Date(expiresAt) <= ctx.now()) throw badField('body.expiresAt', 'must be in the future')
}
