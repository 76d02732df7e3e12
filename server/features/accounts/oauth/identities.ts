import { Email } from '../../../../contract/accounts/accounts.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Config } from '../../../config/config.ts'
import type { PublicContext } from '../../../context.ts'
import { newId } from '../../../security/ids.ts'
import { claimByVerifiedEmail } from '../email/claim-email.ts'
import { findDefaultWorkspace } from '../queries.ts'
import { FIRST_WORKSPACE, hasUsers, insertOwner } from '../setup/setup-queries.ts'
import type { ExternalIdentity } from './identity-provider.ts'
import * as queries from './identity-queries.ts'

export type Refusal = 'unverified_address' | 'signup_closed'

interface SignInAttempt {
  provider: string
  identity: ExternalIdentity
  signup: Config['signup']
}

/**
 * The account that an external identity signs in to: the linked one; else the one with the same email address, if the
 * provider has verified that; else, if sign-up is open, a new one.
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
    const existing = await queries.findUserByEmail(inside.sql, email)
    if (!existing && !(await isSignUpOpen(inside, signup))) return { refusal: 'signup_closed' }
    const userId = existing?.userId ?? (await signUp(inside, email, identity))
    await claimByVerifiedEmail(inside, userId)
    await link(inside, userId, { provider, subject: identity.subject, email })
    return { userId }
  })
}

/** Closed until the server has an owner: the first user would invalidate the setup link. */
const isSignUpOpen = async (ctx: PublicContext, signup: Config['signup']) =>
  signup === 'open' && (await hasUsers(ctx.sql))

/** If another request creates the account first, that account: the provider has verified the email address. */
async function signUp(ctx: PublicContext, email: string, { name }: ExternalIdentity): Promise<string> {
  const ids = { userId: newId(), orgId: newId(), workspaceId: newId() }
  const displayName = nameOf(name) ?? email.split('@')[0]!.slice(0, NAME_MAX)
  const account = { ...ids, email, name: displayName, passwordHash: null, operator: false, now: ctx.now() }
  const isNew = await insertOwner(ctx.sql, {
    ...account,
    organizationName: displayName,
    workspaceName: FIRST_WORKSPACE,
  })
  if (!isNew) return (await queries.findUserByEmail(ctx.sql, email))!.userId
  await recordAudit(ctx, { action: 'sign-up', by: { ...ids, via: 'session' } })
  return ids.userId
}

async function link(
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

/** The name from the provider, cleaned and cut to what the API accepts. */
function nameOf(raw: string | null): string | null {
  const clean = (raw ?? '').replaceAll('\0', '').toWellFormed().trim()
  return [...clean].slice(0, NAME_MAX).join('') || null
}
