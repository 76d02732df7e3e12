import type { accounts } from '../../../../../contract/accounts/accounts.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { PublicContext } from '../../../../context.ts'
import { reply } from '../../../../endpoint/route.ts'
import { conflict, forbidden } from '../../../../errors.ts'
import { sha256 } from '../../../../security/digest.ts'
import { newId } from '../../../../security/ids.ts'
import { hashPassword } from '../../../../security/passwords.ts'
import { randomToken } from '../../../../security/random.ts'
import { issueSession } from '../sessions/sessions.ts'
import * as queries from './setup-queries.ts'

const LINK_HOURS = 24

export async function readSetupState(ctx: PublicContext) {
  return { needed: !(await queries.hasUsers(ctx.sql)) }
}

/** Works once, with the setup link that only the operator sees in the server output. */
export async function setUp(
  ctx: PublicContext<'hooks' | 'suspensions' | 'vault'>,
  { token, password, ...names }: InputOf<typeof accounts.setup>,
) {
  if (!(await queries.isSetupLinkValid(ctx.sql, sha256(token), ctx.now()))) {
    throw forbidden('This setup link is no longer valid: restart Atrium to get a new one', {
      reason: 'setup_link',
    })
  }
  const passwordHash = await hashPassword(password, { lane: 'known', key: 'setup' })
  return ctx.transaction(async (inside) => {
    const owner = await createOwner(inside, { ...names, passwordHash })
    if (!owner) throw conflict('An owner already exists: sign in instead')
    const { body, options } = await issueSession(inside, { ...owner, opensStepUp: true })
    return reply(body, { ...options, status: 201 })
  })
}

/** Creates the owner from `ATRIUM_OWNER_*` at the first start. Returns whether it did. */
export async function setUpFromConfig(
  ctx: PublicContext<'hooks'>,
  owner: { email: string; password: string },
): Promise<boolean> {
  if (await queries.hasUsers(ctx.sql)) return false
  const passwordHash = await hashPassword(owner.password, { lane: 'known', key: 'setup' })
  const name = owner.email.split('@')[0]!
  const details = {
    email: owner.email,
    name,
    passwordHash,
    organizationName: 'Atrium',
    workspaceName: queries.FIRST_WORKSPACE,
  }
  return (await ctx.transaction((inside) => createOwner(inside, details))) !== null
}

/** Null if an owner exists. */
export async function createSetupToken(ctx: PublicContext): Promise<string | null> {
  if (await queries.hasUsers(ctx.sql)) return null
  const token = randomToken(32)
  await queries.insertSetupLink(
    ctx.sql,
    sha256(token),
    new Date(ctx.now().getTime() + LINK_HOURS * 3_600_000),
  )
  return token
}

interface Owner {
  email: string
  name: string
  passwordHash: string
  organizationName: string
  workspaceName: string
}

/** Null if an owner exists. The lock serializes concurrent requests. The first owner is also an operator. */
async function createOwner(ctx: PublicContext<'hooks'>, owner: Owner) {
  await queries.lockSetup(ctx.sql)
  if (await queries.hasUsers(ctx.sql)) return null
  const ids = { userId: newId(), orgId: newId(), workspaceId: newId() }
  await queries.insertOwner(ctx, { ...owner, ...ids, operator: true })
  await queries.deleteSetupLinks(ctx.sql)
  await recordAudit(ctx, { action: 'setup', by: { ...ids, via: 'system' } })
  return ids
}
