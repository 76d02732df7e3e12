import { Email } from '../../../../../contract/accounts/accounts.ts'
import type { security } from '../../../../../contract/accounts/security.ts'
import { toDisplayName } from '../../../../../contract/display-name.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Config } from '../../../../config/config.ts'
import type { Context, PublicContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { notFound, raise } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import { openVerifiedAccount } from '../email/verified-account.ts'
import { findDefaultWorkspace } from '../queries.ts'
import { removeSignInMethod } from '../sign-in/sign-in-methods.ts'
import type { ExternalIdentity } from './identity-providers.ts'

export type Refusal = 'unverified_address' | 'signup_closed'

interface SignInAttempt {
  provider: string
  identity: ExternalIdentity
  signup: Config['signup']
}

/**
 * The linked account; else the one with the same email address, if both it and the provider have verified it; else, if
 * sign-up is open, a new one.
 */
export async function resolveAccount(
  ctx: PublicContext<'hooks'>,
  { provider, identity, signup }: SignInAttempt,
): Promise<{ userId: string } | { refusal: Refusal }> {
  const linked = await findIdentity(ctx.sql, provider, identity.subject)
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
  if (!(await insertIdentity(ctx.sql, { ...identity, id, userId, now: ctx.now() })) || !workspace) return
  await recordAudit(ctx, {
    action: 'identity.linked',
    by: { userId, orgId: workspace.orgId, via: 'session' },
    target: id,
    details: { provider: identity.provider },
  })
}

const NAME_MAX = 120

/** Cleans the provider's name and cuts it to the API's length limit. */
function nameOf(raw: string | null): string | null {
  return toDisplayName(raw ?? '', NAME_MAX) || null
}

export async function unlinkIdentity(ctx: Context, { id }: InputOf<typeof security.unlinkIdentity>) {
  await removeSignInMethod(ctx, async (inside) => {
    const deleted = await deleteIdentity(inside.sql, ctx.caller.userId, id)
    const { provider, email } = deleted ?? raise(notFound('Linked account'))
    const details = { provider, ...(email && { email }) }
    await recordAudit(inside, { action: 'identity.unlinked', by: ctx.caller, target: id, details })
  })
  return { unlinked: true as const }
}

async function findIdentity(sql: Sql, provider: string, subject: string) {
  const [row] = await sql<{ userId: string }[]>`
    select user_id as "userId" from identities where provider = ${provider} and subject = ${subject}`
  return row ?? null
}

interface NewIdentity {
  id: string
  provider: string
  subject: string
  userId: string
  email: string
  now: Date
}

/** False if another request linked it first. */
async function insertIdentity(sql: Sql, identity: NewIdentity): Promise<boolean> {
  const { count } = await sql`
    insert into identities (provider, subject, id, user_id, email, created_at)
    values (${identity.provider}, ${identity.subject}, ${identity.id}, ${identity.userId}, ${identity.email},
      ${identity.now})
    on conflict do nothing`
  return count === 1
}

/** Null if the user has no identity with this id. */
async function deleteIdentity(sql: Sql, userId: string, id: string) {
  const [row] = await sql<{ provider: string; email: string | null }[]>`
    delete from identities where user_id = ${userId} and id = ${id} returning provider, email`
  return row ?? null
}
