import { Email } from '../../../../contract/accounts/accounts.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Config } from '../../../config/config.ts'
import type { PublicContext } from '../../../context.ts'
import { newId } from '../../../security/ids.ts'
import { claimByVerifiedEmail } from '../email/claim-email.ts'
import { findDefaultWorkspace } from '../queries.ts'
import { FIRST_WORKSPACE, hasUsers, insertOwner } from '../setup/setup-queries.ts'
import * as queries from './identity-queries.ts'
import type { ExternalIdentity } from './oauth-provider.ts'

export type Refusal = 'unverified_address' | 'signup_closed'

interface Arrival {
  provider: string
  person: ExternalIdentity
  signup: Config['signup']
}

/**
 * Whose account somebody from outside enters: the one they are linked to; else the one with their address, if the
 * provider vouches for it; else, where sign-up is open, one of their own.
 */
export async function resolveAccount(
  ctx: PublicContext,
  { provider, person, signup }: Arrival,
): Promise<{ userId: string } | { refusal: Refusal }> {
  const linked = await queries.findIdentity(ctx.sql, provider, person.subject)
  if (linked) return linked
  const { data: email } = Email.safeParse(person.email)
  if (!email || !person.emailVerified) return { refusal: 'unverified_address' }

  return ctx.transaction(async (inside) => {
    const known = await queries.findUserByEmail(inside.sql, email)
    if (!known && !(await mayAnybodySignUp(inside, signup))) return { refusal: 'signup_closed' }
    const userId = known?.userId ?? (await signUp(inside, email, person))
    await claimByVerifiedEmail(inside, userId)
    await link(inside, userId, { provider, subject: person.subject, email })
    return { userId }
  })
}

/** Before there is an owner nobody may: the setup link would not work any more. */
const mayAnybodySignUp = async (ctx: PublicContext, signup: Config['signup']) =>
  signup === 'open' && (await hasUsers(ctx.sql))

/** If the address was taken in this very moment, whoever has it now: this person has proved that it is theirs. */
async function signUp(ctx: PublicContext, email: string, { name }: ExternalIdentity): Promise<string> {
  const ids = { userId: newId(), orgId: newId(), workspaceId: newId() }
  const called = nameOf(name) ?? email.split('@')[0]!.slice(0, NAME_MAX)
  const account = { ...ids, email, name: called, passwordHash: null, operator: false, now: ctx.now() }
  const isNew = await insertOwner(ctx.sql, {
    ...account,
    organizationName: called,
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
  const home = await findDefaultWorkspace(ctx.sql, userId)
  const id = newId()
  if (!(await queries.insertIdentity(ctx.sql, { ...identity, id, userId, now: ctx.now() })) || !home) return
  await recordAudit(ctx, {
    action: 'identity.linked',
    by: { userId, orgId: home.orgId, via: 'session' },
    target: id,
    details: { provider: identity.provider },
  })
}

const NAME_MAX = 120

/** As the provider gave it, within what we would have accepted. */
function nameOf(given: string | null): string | null {
  const clean = (given ?? '').replaceAll('\0', '').toWellFormed().trim()
  return [...clean].slice(0, NAME_MAX).join('') || null
}
