import { recordAudit } from '../../../../audit/record.ts'
import type { Config } from '../../../../config/config.ts'
import type { PublicContext } from '../../../../context.ts'
import { newId } from '../../../../security/ids.ts'
import { FIRST_WORKSPACE, hasUsers, insertOwner } from '../setup/setup-queries.ts'
import { findVerifiedUser } from './email-queries.ts'

interface Proof {
  /** The caller has proved this address. */
  email: string
  name?: string | null
  organizationName?: string
  passwordHash?: string | null
}

/**
 * The account that verified the address before, else a new one with its own organization. Never an unverified account
 * that names the address: its creator may be someone else, who would share its memberships, sessions and contents. Null
 * if sign-up is closed.
 */
export async function openVerifiedAccount(
  inside: PublicContext<'hooks'>,
  { email, name, organizationName, passwordHash = null }: Proof,
  signup: Config['signup'],
): Promise<{ userId: string; isNew: boolean } | null> {
  const existing = await findVerifiedUser(inside.sql, email)
  if (existing) return { userId: existing.userId, isNew: false }
  // Closed until the server has an owner: the first user would invalidate the setup link.
  if (signup !== 'open' || !(await hasUsers(inside.sql))) return null
  const ids = { userId: newId(), orgId: newId(), workspaceId: newId() }
  const displayName = name ?? localPartOf(email)
  const isNew = await insertOwner(inside, {
    ...ids,
    email,
    name: displayName,
    organizationName: organizationName ?? displayName,
    passwordHash,
    workspaceName: FIRST_WORKSPACE,
    operator: false,
  })
  // Another request with the same proof was faster.
  if (!isNew) return { userId: (await findVerifiedUser(inside.sql, email))!.userId, isNew: false }
  await recordAudit(inside, { action: 'sign-up', by: { ...ids, via: 'system' } })
  return { userId: ids.userId, isNew: true }
}

const NAME_MAX = 120
const localPartOf = (email: string) => email.split('@')[0]!.slice(0, NAME_MAX)
