import type { InputOf } from '../../../../contract/endpoint.ts'
import type { publicLinks } from '../../../../contract/files/public-links.ts'
import type { PublicContext } from '../../../context.ts'
import { decodeCursor, encodeCursor } from '../../../database/cursor.ts'
import { badRequest, notFound, raise, unauthorized } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import { checkLinkPassword } from '../../accounts/accounts/accounts.ts'
import { read, renderPreview } from '../files/files.ts'
import { findLink, findLinkByToken, type LinkRow, updateUsed } from './queries.ts'
import { type ActiveLink, isExpired, resolveLink } from './resolve.ts'

const PASSWORD = { limitName: 'public-link-password', noun: 'link' }

/** Unknown and revoked links, and links to deleted files, get the same error. */
export async function open(
  ctx: PublicContext<'suspensions' | 'vault'>,
  { token, password }: InputOf<typeof publicLinks.open>,
) {
  const found = (await findLinkByToken(ctx.sql, sha256(token))) ?? raise(notFound('Public link'))
  // A caller with the token knows that the link existed, so the error may mention expiry.
  if (isExpired(found, ctx.now())) throw notFound('Public link', { reason: 'expired' })
  const { link, file } = (await resolveLink(ctx, found)) ?? raise(notFound('Public link'))
  if (link.passwordHash !== null) await checkLinkPassword(ctx, PASSWORD, link, password)
  await updateUsed(ctx.sql, link.orgId, link.id, ctx.now())
  return { ...createGuestToken(ctx, link), entry: presentEntry(file) }
}

export async function entries(
  ctx: PublicContext<'suspensions' | 'vault'>,
  input: InputOf<typeof publicLinks.entries>,
) {
  const { token, folderId, cursor, limit } = input
  const activeLink = await verifyGuestToken(ctx, token)
  const folder = await findEntry(ctx, activeLink, folderId ?? activeLink.file.id)
  if (folder.source !== 'folder') throw badRequest('Only a folder has entries')
  const list = JSON.stringify(['public entries', activeLink.link.id, folder.id])
  const position = decodeCursor(ctx.vault, list, cursor)
  const after = position === null ? null : (JSON.parse(position) as (string | number)[])
  const { rows, next } = await read.listServed(ctx, activeLink.viewer, folder.id, { after, limit })
  const nextCursor = next && encodeCursor(ctx.vault, list, JSON.stringify(next))
  return { items: rows.map(presentEntry), nextCursor }
}

export async function content(
  ctx: PublicContext<'objects' | 'suspensions' | 'vault'>,
  input: InputOf<typeof publicLinks.content>,
) {
  const activeLink = await verifyGuestToken(ctx, input.token)
  return read.serveContent(ctx, await findEntry(ctx, activeLink, input.id), input)
}

export async function preview(
  ctx: PublicContext<'objects' | 'suspensions' | 'vault'>,
  { token, id }: InputOf<typeof publicLinks.preview>,
) {
  const activeLink = await verifyGuestToken(ctx, token)
  const file = await findEntry(ctx, activeLink, id)
  return renderPreview(ctx, file, `/api/v1/public-links/${token}/files/${id}?inline=true`)
}

export async function archive(
  ctx: PublicContext<'objects' | 'suspensions' | 'vault'>,
  { token, byteRequest }: InputOf<typeof publicLinks.archive>,
) {
  const { viewer, file } = await verifyGuestToken(ctx, token)
  if (file.source !== 'folder') throw badRequest('Only folders can be downloaded as an archive')
  return read.serveArchive(ctx, viewer, file, byteRequest)
}

/** Any id outside the link is NOT_FOUND, even if its creator can see it. */
async function findEntry(
  ctx: PublicContext,
  { viewer, file }: ActiveLink,
  id: string,
): Promise<read.ServedFile> {
  if (id === file.id) return file
  return (await read.findServed(ctx.sql, viewer, file, id)) ?? raise(notFound('File'))
}

const presentEntry = ({ id, name, mimeType, size, source, updatedAt }: read.ServedFile) => ({
  id,
  name,
  mimeType,
  size,
  source: source === 'folder' ? ('folder' as const) : ('upload' as const),
  updatedAt,
})

/** Part of the signature: renaming it would invalidate current guest tokens. */
const PURPOSE = 'public-link-ticket'
const LIFETIME_MS = 3_600_000
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const FORMAT = new RegExp(`^((${UUID})\\.(${UUID})\\.(\\d{1,15}))\\.([\\w-]{43})$`)

function createGuestToken({ vault, now }: Pick<PublicContext<'vault'>, 'vault' | 'now'>, link: LinkRow) {
  const latestEnd = now().getTime() + LIFETIME_MS
  const end = link.expiresAt ? Math.min(latestEnd, Date.parse(link.expiresAt)) : latestEnd
  const text = `${link.orgId}.${link.id}.${end}`
  const guestToken = `${text}.${vault.sign(PURPOSE, text)}`
  return { guestToken, expiresAt: new Date(end).toISOString() }
}

/** Reads the link again on each request, so revoking it ends open pages. */
async function verifyGuestToken(
  ctx: PublicContext<'suspensions' | 'vault'>,
  token: string,
): Promise<ActiveLink> {
  const [, text = '', orgId = '', id = '', end, signature = ''] = FORMAT.exec(token) ?? []
  if (!ctx.vault.verify(PURPOSE, text, signature))
    throw unauthorized('The guest token is invalid', { reason: 'bad_signature' })
  if (Number(end) <= ctx.now().getTime())
    throw unauthorized('The guest token has expired: open the link again', { reason: 'expired' })
  const link = await findLink(ctx.sql, orgId, id)
  return (link && (await resolveLink(ctx, link))) ?? raise(notFound('Public link'))
}
