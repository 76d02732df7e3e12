import type { signIn } from '../../../../contract/accounts/sign-in.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Config } from '../../../config/config.ts'
import type { PublicContext } from '../../../context.ts'
import { conflict, forbidden, raise } from '../../../errors.ts'
import { consumeToken, peekToken } from '../../../one-time-tokens/one-time-tokens.ts'
import { newId } from '../../../security/ids.ts'
import { hashPassword } from '../../../security/passwords.ts'
import type { PendingSignUp } from '../email/email-links.ts'
import { linkExpired } from '../email/link-expired.ts'
import { sendSignUpLink } from '../jobs.ts'
import { FIRST_WORKSPACE, hasUsers, insertOwner } from '../setup/setup-queries.ts'
import { createSession } from './complete-sign-in.ts'

type Rule = Config['signup']

/** Makes nothing yet, and does the same for every address; the job finds out whether it is known. */
export const signUp =
  (rule: Rule) =>
  async (ctx: PublicContext, { name, email, organizationName }: InputOf<typeof signIn.signUp>) => {
    refuseUnlessOpen(rule)
    // The first account is the owner's, who comes in by the setup link.
    if (!(await hasUsers(ctx.sql))) throw closed('This server is still to be set up')
    await ctx.enqueue(sendSignUpLink, { id: newId(), name, email, organizationName })
    return { sent: true as const }
  }

export const confirmSignUp =
  (rule: Rule) =>
  async (ctx: PublicContext, { token, password }: InputOf<typeof signIn.confirmSignUp>) => {
    refuseUnlessOpen(rule)
    if (!(await peekToken(ctx, 'sign-up', token))) throw linkExpired()
    const passwordHash = await hashPassword(password)
    return ctx.transaction(async (inside) => {
      const { data } = (await consumeToken<PendingSignUp>(inside, 'sign-up', token)) ?? raise(linkExpired())
      const userId = await createAccount(inside, { ...data, passwordHash })
      return createSession(inside, userId, 'sign-up')
    })
  }

async function createAccount(inside: PublicContext, account: PendingSignUp & { passwordHash: string }) {
  const ids = { userId: newId(), orgId: newId(), workspaceId: newId() }
  const owner = { ...account, ...ids, workspaceName: FIRST_WORKSPACE, operator: false, now: inside.now() }
  if (!(await insertOwner(inside.sql, owner))) {
    throw conflict('There is an account with this address already: sign in instead')
  }
  await recordAudit(inside, { action: 'sign-up', by: { ...ids, via: 'system' } })
  return ids.userId
}

function refuseUnlessOpen(rule: Rule): void {
  if (rule !== 'open') throw closed('Accounts are made by invitation here: ask an admin to invite you')
}

const closed = (message: string) => forbidden(message, { reason: 'signup_closed' })
