import { Email } from '../../../../../contract/accounts/accounts.ts'
import { toDisplayName } from '../../../../../contract/display-name.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Config } from '../../../../config/config.ts'
import type { PublicContext } from '../../../../context.ts'
import { newId } from '../../../../security/ids.ts'
import { openVerifiedAccount } from '../email/verified-account.ts'
import { findDefaultWorkspace } from '../queries.ts'
import type { ExternalIdentity } from './identity-provider.ts'
import * as queries from './identity-queries.ts'

export type Refusal = 'unverified_address' | 'signup_closed'

interface SignInAttempt {
  provider: string
  identity: ExternalIdentity
  signup: Config['signup']
}

/**
 * The account that an external identity signs in to: the linked one; else the one that has verified the same email
 * address, if the provider has verified it too; else, if sign-up is open, a new one.
 */
export async function resolveAccount(
  ctx: PublicContext,
  { provider, identity, signup }: SignInAttempt,
): Promise<{ userId: string } | { refusal: Refusal }> {
  const linked = await queries.findIdentity(ctx.sql, provider, identity.subject)
  if (linked) return linked
  const { data: email } = Email.safeParse(identity.email)
  if (!email || !identity.emailVerified) return { refusal: 'unverified_address' }

  return ctx.transaction(async (inside) => {
    const account = await openVerifiedAccount(inside, { email, name: nameOf(identity.name) }, signup)
    if (!account) return { refusal: 'signup_closed' }
    await linkIdentity(inside, account.userId, { provider, subject: identity.subject, email })
    return { userId: account.userId }
  })
}

async function linkIdentity(
  ctx: PublicContext,
  userId: string,
  identity: { provider: string; subject: string; email: string },
): Promise<void> {
  const workspace = await findDefaultWorkspace(ctx.sql, userId)
  const id = newId()
  if (!(await queries.insertIdentity(ctx.sql, { ...identity, id, userId, now: ctx.now() })) || !workspace)
    return
  await recordAudit(ctx, {
    action: 'identity.linked',
    by: { userId, orgId: workspace.orgId, via: 'session' },
    target: id,
    details: { provider: identity.provider },
  })
}

const NAME_MAX = 120

/** The name from the provider, cleaned and cut to the length that the API accepts. */
function nameOf(raw: string | null): string | null {
  return toDisplayName(raw ?? '', NAME_MAX) || null
}
