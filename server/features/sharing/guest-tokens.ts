import type { Caller } from '../../context.ts'
import type { Sql } from '../../database/database.ts'
import type { Vault } from '../../security/vault.ts'
import { findShareByGuestToken, type ShareRow } from './share-queries.ts'

const PURPOSE = 'share-ticket'
const LASTS_MS = 43_200_000
const FORM = /^(([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,9})\.(\d{1,15}))\.([\w-]{43})$/

/** What a guest shows with every call: the link they came by, in its version, until when. */
export function createGuestToken(vault: Vault, { id, version, expiresAt }: ShareRow, now: Date) {
  const end = now.getTime() + LASTS_MS
  const text = `${id}.${version}.${end}`
  const until = expiresAt ? new Date(Math.min(end, Date.parse(expiresAt))) : new Date(end)
  return { ticket: `${text}.${vault.sign(PURPOSE, text)}`, until }
}

/** The guest behind a ticket, as long as the link stands. One indexed query, so that revoking is immediate. */
export async function verifyGuestToken(
  sql: Sql,
  vault: Vault,
  ticket: string,
  now: Date,
): Promise<Caller | null> {
  const [, text = '', id = '', version, end, tag = ''] = FORM.exec(ticket) ?? []
  if (!vault.verify(PURPOSE, text, tag) || Number(end) <= now.getTime()) return null
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
    // There is nothing to comment on yet.
    access: share.access === 'edit' ? 'edit' : 'view',
    version: share.version,
    since: new Date(end - LASTS_MS),
    until: new Date(Math.min(end, share.expiresAt ? Date.parse(share.expiresAt) : end)),
  },
})
