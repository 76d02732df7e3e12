import type { PublicContext } from '../../../../context.ts'
import { isUniqueViolation } from '../../../../database/pg-errors.ts'
import { conflict } from '../../../../errors.ts'
import { updateEmailVerified } from './email-queries.ts'

/**
 * Marks the email address of an account as verified. Call it only if the caller has proved both: the address, by a link
 * that was mailed to it, and the account, by its password or a session.
 */
export async function verifyAddress(ctx: Pick<PublicContext, 'sql' | 'now'>, userId: string) {
  try {
    return await updateEmailVerified(ctx.sql, userId, ctx.now())
  } catch (error) {
    throw isUniqueViolation(error, 'users_email') ? addressTaken() : error
  }
}

/** Only a person who has proved the address sees this. */
const addressTaken = () =>
  conflict('Another account has verified this email address: sign in to that account instead')
