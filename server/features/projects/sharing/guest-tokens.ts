import type { InputOf } from '../../../../contract/endpoint.ts'
import type { sharing } from '../../../../contract/projects/sharing.ts'
import type { Caller, PublicContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { notFound, raise } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import type { Vault } from '../../../security/vault.ts'
import { checkLinkPassword } from '../../accounts/accounts/accounts.ts'
import { findShareByGuestToken, findShareByToken, type ShareRow } from './share-queries.ts'

const PASSWORD = { limitName: 'share-password', noun: 'share link' }

/** Unknown, expired and revoked links get the same error. */
export async function openShare(
  ctx: PublicContext<'suspensions' | 'vault'>,
  { token, password }: InputOf<typeof sharing.open>,
) {
  const now = ctx.now()
  const share = (await findShareByToken(ctx.sql, sha256(token), now)) ?? raise(notFound('Share link'))
  if (share.passwordHash !== null) await checkLinkPassword(ctx, PASSWORD, share, password)
  ctx.suspensions.requireOpenToGuests(share.orgId)
  const { token: guestToken, until } = createGuestToken(ctx.vault, share, now)
  const { projectId: id, name, emoji, description, access } = share
  return {
    guestToken,
    expiresAt: until.toISOString(),
    access,
    project: { id, name, emoji, description },
  }
}

/** Part of the signature: renaming it would invalidate current guest tokens. */
const PURPOSE = 'share-ticket'
const LIFETIME_MS = 43_200_000
const FORMAT = /^(([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,9})\.(\d{1,15}))\.([\w-]{43})$/

function createGuestToken(vault: Vault, { id, version, expiresAt }: ShareRow, now: Date) {
  const end = now.getTime() + LIFETIME_MS
  const text = `${id}.${version}.${end}`
  const until = expiresAt ? new Date(Math.min(end, Date.parse(expiresAt))) : new Date(end)
  return { token: `${text}.${vault.sign(PURPOSE, text)}`, until }
}

/** One indexed query, so revocation is immediate. */
export async function verifyGuestToken(
  sql: Sql,
  vault: Vault,
  token: string,
  now: Date,
): Promise<Caller | null> {
  const [, text = '', id = '', version, end, signature = ''] = FORMAT.exec(token) ?? []
  if (!vault.verify(PURPOSE, text, signature) || Number(end) <= now.getTime()) return null
  const share = await findShareByGuestToken(sql, { id, version: Number(version) }, now)
  return share && guestOf(share, Number(end))
}

const guestOf = (share: ShareRow, end: number): Caller => ({
  via: 'share',
  credentialId: share.id,
  userId: share.createdBy,
  orgId: share.orgId,
  workspaceId: null,
  role: 'member',
  operator: false,
  scopes: [],
  stepUpUntil: null,
  stepUpMethods: [],
  share: {
    projectId: share.projectId,
    access: share.access === 'edit' ? 'edit' : 'view',
    comments: share.access !== 'view',
    version: share.version,
    since: new Date(end - LIFETIME_MS),
    until: new Date(Math.min(end, share.expiresAt ? Date.parse(share.expiresAt) : end)),
  },
})
