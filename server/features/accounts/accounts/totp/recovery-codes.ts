import { recordAudit } from '../../../../audit/record.ts'
import type { Context, PublicContext } from '../../../../context.ts'
import { conflict } from '../../../../errors.ts'
import { sha256 } from '../../../../security/digest.ts'
import { randomLetters } from '../../../../security/random.ts'
import * as queries from './totp-queries.ts'

const CODES = 10
/** 32 characters without look-alikes: five bits each, fifty in a code. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const HALF_LENGTH = 5

export async function renewRecoveryCodes(ctx: Context) {
  const { userId } = ctx.caller
  return ctx.transaction(async (inside) => {
    if (!(await queries.lockTotp(inside.sql, userId))) throw conflict('Add an authenticator app first')
    await recordAudit(inside, { action: 'recovery-codes.renewed', by: ctx.caller })
    return { recoveryCodes: await replaceRecoveryCodes(inside, userId) }
  })
}

/** Returns the only copy of the new codes and invalidates the old ones. Run it in a transaction that has locked the user. */
export async function replaceRecoveryCodes({ sql }: Pick<Context, 'sql'>, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode)
  const hashes = codes.map((code) => hashOf(userId, code))
  await queries.deleteRecoveryCodes(sql, userId)
  await queries.insertRecoveryCodes(sql, userId, hashes)
  return codes
}

/** Whether this is a valid code, in any case and punctuation; each is valid once. */
export const consumeRecoveryCode = ({ sql }: Pick<PublicContext, 'sql'>, userId: string, code: string) =>
  queries.deleteRecoveryCode(sql, userId, hashOf(userId, code))

const newCode = () => `${randomLetters(HALF_LENGTH, ALPHABET)}-${randomLetters(HALF_LENGTH, ALPHABET)}`

/** The user id acts as a salt: a stolen table has to be attacked per user. */
const hashOf = (userId: string, code: string) =>
  sha256(`${userId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)
