import { z } from 'zod'
import { NewPassword, PersonName } from '../../../../contract/accounts/accounts.ts'
import type { PublicContext } from '../../../context.ts'
import { ApiError, badField, conflict, unauthorized } from '../../../errors.ts'
import { clientNetwork } from '../../../security/client-network.ts'
import { newId } from '../../../security/ids.ts'
import { hashPassword } from '../../../security/passwords.ts'
import {
  authenticate,
  findVerifiedUser,
  insertInvitedUser,
  requireSecondFactor,
  verifyAddress,
} from '../../accounts/accounts/accounts.ts'

interface Invitee {
  email: string
  /** The link went only to this address, so the invitee owns it. */
  isMailed: boolean
  name?: string
  password?: string
}

interface InvitedAccount {
  userId: string
  factor: 'password' | 'invite'
  /** The hash that the password matched. */
  passwordHash?: string
  /** Run it in the transaction that joins. */
  save: (inside: PublicContext) => Promise<void>
}

/**
 * The account that matches the password, else a new one. Only an invitee who has proved to own the email learns that it
 * has an account. For others, response and work are the same.
 */
export async function resolveInvitedAccount(
  ctx: PublicContext<'vault'>,
  invitee: Invitee,
): Promise<InvitedAccount> {
  const { email, isMailed, password } = invitee
  if (invitee.name !== undefined) parseInvitedUser(invitee)
  const account =
    password === undefined ? null : await authenticate(ctx, email, password, { isInvited: true })
  if (account) {
    await requireSecondFactor(ctx, account.userId, 'password')
    const verifiesAddress = isMailed && !account.isVerified
    return {
      ...account,
      factor: 'password',
      save: async (inside) => void (verifiesAddress && (await verifyAddress(inside, account.userId))),
    }
  }
  if (isMailed && (await findVerifiedUser(ctx.sql, email))) {
    if (password === undefined) throw badField('body.password', 'is required, or sign in first')
    throw unauthorized('The email address or password is wrong')
  }
  return prepareNewAccount(ctx, invitee)
}

async function prepareNewAccount(ctx: PublicContext, invitee: Invitee): Promise<InvitedAccount> {
  const { email, isMailed } = invitee
  const { name, password } = parseInvitedUser(invitee)
  const passwordHash = await hashPassword(password, { lane: 'anonymous', key: clientNetwork(ctx.origin.ip) })
  const userId = newId()
  const user = { id: userId, email, name, passwordHash, isVerified: isMailed, now: ctx.now() }
  return {
    userId,
    factor: 'invite',
    save: async (inside) => {
      if (await insertInvitedUser(inside.sql, user)) return
      throw conflict(`${email} already has an account: accept with its password`)
    },
  }
}

const InvitedUser = z.object({ name: PersonName, password: NewPassword })

function parseInvitedUser(input: { name?: string; password?: string }) {
  const parsed = InvitedUser.safeParse(input)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => ({
    path: `body.${path.join('.')}`,
    message,
  }))
  const [first] = problems
  throw new ApiError('BAD_REQUEST', `${first!.path} ${first!.message}`, { details: problems })
}
