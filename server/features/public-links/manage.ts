import type { InputOf } from '../../../contract/endpoint.ts'
import { PUBLIC_LINKS_MAX, type publicLinks } from '../../../contract/files/public-links.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { cursorPage, decodeCursor } from '../../database/cursor.ts'
import { badField, badRequest, conflict, forbidden, notFound, raise } from '../../errors.ts'
import { publishIn } from '../../events/publish.ts'
import { sha256 } from '../../security/digest.ts'
import { newId } from '../../security/ids.ts'
import { hashPassword } from '../../security/passwords.ts'
import { randomToken } from '../../security/random.ts'
import { findFile, requireEdit } from '../files/files.ts'
import * as queries from './queries.ts'
import { mayCreate, resolveLink } from './resolve.ts'

type Found = NonNullable<Awaited<ReturnType<typeof findFile>>>

export async function list(ctx: Context, { id }: InputOf<typeof publicLinks.list>) {
  const file = await findLinked(ctx, id)
  const rows = await queries.listLinks(ctx.sql, ctx.caller.orgId, id, PUBLIC_LINKS_MAX)
  const items = await Promise.all(rows.map((row) => present(ctx, row, file.name)))
  const canCreate =
    file.access === 'edit' &&
    file.source !== 'link' &&
    !file.protected &&
    (await mayCreate(ctx.sql, ctx.caller))
  return { items, canCreate }
}

export async function create(ctx: Context, input: InputOf<typeof publicLinks.create>) {
  const { id, expiresAt = null, password = null } = input
  const { orgId, userId } = ctx.caller
  if (expiresAt !== null && new Date(expiresAt) <= ctx.now())
    throw badField('body.expiresAt', 'must be in the future')
  await requireCreator(ctx, await findLinked(ctx, id))
  // Before the transaction: hashing is slow, and would hold its connection.
  const passwordHash = password === null ? null : await hashPassword(password, orgId)
  const token = randomToken(32)
  return ctx.transaction(async (inside) => {
    const file = await findLinked(inside, id)
    await requireCreator(inside, file)
    if ((await queries.lockLinks(inside.sql, orgId, id)) >= PUBLIC_LINKS_MAX)
      throw conflict(`This file has ${PUBLIC_LINKS_MAX} public links, which is the most: revoke one of them`)
    const row = await queries.insertLink(inside.sql, orgId, {
      id: newId(),
      fileId: id,
      tokenHash: sha256(token),
      passwordHash,
      expiresAt,
      createdBy: userId,
      now: ctx.now(),
    })
    await record(inside, 'file.shared', file, { hasPassword: String(passwordHash !== null) })
    return present(inside, row, file.name, `${ctx.origin.baseUrl}/f/${token}`)
  })
}

export const revoke = (ctx: Context, { id, linkId }: InputOf<typeof publicLinks.revoke>) =>
  ctx.transaction(async (inside) => {
    const { orgId, role } = ctx.caller
    const file = await findFile(inside.sql, ctx.caller, id)
    // Admins revoke links of every file, also of those that they do not see.
    if (role === 'member') requireEdit(file ?? raise(notFound('File')))
    if (!(await queries.deleteLink(inside.sql, orgId, id, linkId))) throw notFound('Public link')
    await record(inside, 'file.unshared', {
      id,
      name: file?.name ?? null,
      source: file?.source ?? null,
      projectId: file?.projectId ?? null,
    })
    return { revoked: true as const }
  })

/** The names of files that the admin does not see, such as those of a private project, are left out. */
export async function listAll(ctx: Context, { cursor, limit }: InputOf<typeof publicLinks.listAll>) {
  const { orgId } = ctx.caller
  const name = JSON.stringify(['public links', orgId])
  const before = decodeCursor(ctx.vault, name, cursor)
  const rows = await queries.listAllLinks(ctx.sql, orgId, { before, limit: limit + 1 })
  const page = cursorPage(ctx.vault, name, limit, rows, (row) => row)
  const items = []
  for (const row of page.items) {
    const file = await findFile(ctx.sql, ctx.caller, row.fileId)
    items.push(await present(ctx, row, file?.name ?? null))
  }
  return { ...page, items }
}

export const readSettings = async ({ sql, caller }: Context) => ({
  allowedFor: await queries.findAllowed(sql, caller.orgId),
})

export const updateSettings = (ctx: Context, { allowedFor }: InputOf<typeof publicLinks.updateSettings>) =>
  ctx.transaction(async (inside) => {
    const { orgId, userId } = ctx.caller
    await queries.upsertAllowed(inside.sql, orgId, { allowedFor, by: userId, now: ctx.now() })
    const details = { allowedFor }
    await recordAudit(inside, { action: 'public-links.updated', by: ctx.caller, target: orgId, details })
    return { allowedFor }
  })

const findLinked = async (ctx: Context, id: string): Promise<Found> =>
  (await findFile(ctx.sql, ctx.caller, id)) ?? raise(notFound('File'))

async function requireCreator(ctx: Context, file: Found): Promise<void> {
  requireEdit(file)
  if (file.source === 'link') throw badRequest('Create the public link of the target of this shortcut')
  if (file.protected) throw badRequest('This is the folder of a project: share the project instead')
  if (file.status === 'pending') throw notFound('File content')
  if (!(await mayCreate(ctx.sql, ctx.caller)))
    throw forbidden('Your organization does not allow you to create public links', {
      reason: 'public_links_off',
    })
}

/** What the audit log and the event say about the file; admins may not see it. */
interface LinkedFile {
  id: string
  name: string | null
  source: Found['source'] | null
  projectId: string | null
}

/** Readers of the audit log may not have access to the project, so its file names are left out. */
async function record(
  ctx: Context,
  type: 'file.shared' | 'file.unshared',
  { id, name, source, projectId }: LinkedFile,
  more: Record<string, string> = {},
): Promise<void> {
  const { orgId, userId } = ctx.caller
  const details = { ...(projectId !== null ? { projectId } : name !== null ? { name } : {}), ...more }
  await recordAudit(ctx, { action: type, by: ctx.caller, target: id, details })
  await publishIn(ctx.sql, orgId, ctx.now(), { type, data: { fileId: id, source, projectId, by: userId } })
}

const present = async (
  ctx: Context,
  row: queries.LinkRow,
  fileName: string | null,
  url: string | null = null,
) => ({
  id: row.id,
  fileId: row.fileId,
  fileName,
  url,
  hasPassword: row.passwordHash !== null,
  expiresAt: row.expiresAt,
  active: (await resolveLink(ctx, row)) !== null,
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  lastUsedAt: row.lastUsedAt,
})
