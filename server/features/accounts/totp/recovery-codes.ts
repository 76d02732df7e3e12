import { recordAudit } from '../../../audit/record.ts'
import type { Context, PublicContext } from '../../../context.ts'
import { conflict } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import { randomLetters } from '../../../security/random.ts'
import * as queries from './totp-queries.ts'

const CODES = 10
/** Without what is easily taken for something else: 32 letters, so five bits each, fifty in a code. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const HALF_LENGTH = 5

export async function renewRecoveryCodes(ctx: Context) {
  const { userId } = ctx.caller
  return ctx.transaction(async (inside) => {
    if (!(await queries.lockTotp(inside.sql, userId))) throw conflict('Enrol an authenticator app first')
    await recordAudit(inside, { action: 'recovery-codes.renewed', by: ctx.caller })
    return { recoveryCodes: await replaceRecoveryCodes(inside, userId) }
  })
}

/** The only copy of the new codes; the old ones are worthless. Run it inside a transaction that has locked the person. */
export async function replaceRecoveryCodes({ sql }: Pick<Context, 'sql'>, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode)
  const hashes = codes.map((code) => hashOf(userId, code))
  await queries.deleteRecoveryCodes(sql, userId)
  await queries.insertRecoveryCodes(sql, userId, hashes)
  return codes
}

/** Whether this is one of the codes, however it was typed; it is not any more. */
export const consumeRecoveryCode = ({ sql }: Pick<PublicContext, 'sql'>, userId: string, code: string) =>
  queries.deleteRecoveryCode(sql, userId, hashOf(userId, code))

const newCode = () => `${randomLetters(HALF_LENGTH, ALPHABET)}-${randomLetters(HALF_LENGTH, ALPHABET)}`

/** With the person, so that a stolen table has to be searched for each of them anew. */
const hashOf = (userId: string, code: string) =>
  sha256(`${userId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)
