import type { PublicContext } from '../../../context.ts'
import { notFound, raise, unauthorized } from '../../../errors.ts'
import { findLink, type LinkRow } from './queries.ts'
import { type ActiveLink, resolveLink } from './resolve.ts'

const PURPOSE = 'public-link-ticket'
const LIFETIME_MS = 3_600_000
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const FORMAT = new RegExp(`^((${UUID})\\.(${UUID})\\.(\\d{1,15}))\\.([\\w-]{43})$`)

/** The credential of a guest who has opened a link: organization, link and expiry, signed. */
export function createGuestToken({ vault, now }: Pick<PublicContext, 'vault' | 'now'>, link: LinkRow) {
  const latestEnd = now().getTime() + LIFETIME_MS
  const end = link.expiresAt ? Math.min(latestEnd, Date.parse(link.expiresAt)) : latestEnd
  const text = `${link.orgId}.${link.id}.${end}`
  return { ticket: `${text}.${vault.sign(PURPOSE, text)}`, expiresAt: new Date(end).toISOString() }
}

/** Reads the link again for each request, so that revoking it ends the open pages. */
export async function verifyGuestToken(ctx: PublicContext, ticket: string): Promise<ActiveLink> {
  const [, text = '', orgId = '', id = '', end, signature = ''] = FORMAT.exec(ticket) ?? []
  if (!ctx.vault.verify(PURPOSE, text, signature))
    throw unauthorized('The guest token is invalid', { reason: 'bad_signature' })
  if (Number(end) <= ctx.now().getTime())
    throw unauthorized('The guest token has expired: open the link again', { reason: 'expired' })
  const link = await findLink(ctx.sql, orgId, id)
  return (link && (await resolveLink(ctx, link))) ?? raise(notFound('Public link'))
}
