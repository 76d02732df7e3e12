import type { InputOf } from '../../../../contract/endpoint.ts'
import { PUBLIC_LINKS_MAX, type publicLinks } from '../../../../contract/files/public-links.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import { badField, badRequest, conflict, forbidden, notFound, raise } from '../../../errors.ts'
import { publishIn } from '../../../events/publish.ts'
import { sha256 } from '../../../security/digest.ts'
import { newId } from '../../../security/ids.ts'
import { hashPassword } from '../../../security/passwords.ts'
import { randomToken } from '../../../security/random.ts'
import { findFile, listFiles, requireEdit } from '../files/files.ts'
import * as queries from './queries.ts'
import { listActive, mayCreate } from './resolve.ts'

type LinkTarget = NonNullable<Awaited<ReturnType<typeof findFile>>>
type LinkEvent = 'file.shared' | 'file.unshared'

const BATCH_SIZE = 500

export async function list(ctx: Context, { id }: InputOf<typeof publicLinks.list>) {
  const file = await findTarget(ctx, id)
  const rows = await queries.listLinks(ctx.sql, ctx.caller.orgId, id, PUBLIC_LINKS_MAX)
  const active = await listActive(ctx, ctx.caller.orgId, rows)
  const items = rows.map((row) => present(row, { fileName: file.name, active: active.has(row.id) }))
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
  await requireMayCreate(ctx, await findTarget(ctx, id))
  // Hash before the transaction: it's slow and would hold the connection.
  const passwordHash = password === null ? null : await hashPassword(password, { lane: 'known', key: orgId })
  const token = randomToken(32)
  return ctx.transaction(async (inside) => {
    const file = await findTarget(inside, id)
    await requireMayCreate(inside, file)
    if ((await queries.lockLinks(inside.sql, orgId, id)) >= PUBLIC_LINKS_MAX)
      throw conflict(`This file has ${PUBLIC_LINKS_MAX} public links, the maximum: revoke one first`)
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
    return present(row, { fileName: file.name, active: true, url: `${ctx.origin.baseUrl}/f/${token}` })
  })
}

/** A link's URL can't be shown again, because only its hash is stored. The new id ends pages that the old URL opened. */
export const renew = (ctx: Context, { id, linkId }: InputOf<typeof publicLinks.renew>) =>
  ctx.transaction(async (inside) => {
    const { orgId, userId } = ctx.caller
    const file = await findTarget(inside, id)
    await requireMayCreate(inside, file)
    const token = randomToken(32)
    const row =
      (await queries.updateLinkToken(inside.sql, orgId, {
        id: linkId,
        nextId: newId(),
        fileId: id,
        tokenHash: sha256(token),
        createdBy: userId,
      })) ?? raise(notFound('Public link'))
    const active = await listActive(inside, orgId, [row])
    await record(inside, 'file.shared', file, { hasPassword: String(row.passwordHash !== null) })
    const url = `${ctx.origin.baseUrl}/f/${token}`
    return present(row, { fileName: file.name, active: active.has(row.id), url })
  })

export const revoke = (ctx: Context, { id, linkId }: InputOf<typeof publicLinks.revoke>) =>
  ctx.transaction(async (inside) => {
    const { orgId, role } = ctx.caller
    const file = await findFile(inside.sql, ctx.caller, id)
    // Admins may revoke links on every file, even files they don't see.
    if (role === 'member') requireEdit(file ?? raise(notFound('File')))
    if (!(await queries.deleteLink(inside.sql, orgId, id, linkId))) throw notFound('Public link')
    await record(inside, 'file.unshared', file ?? unknownFile(id))
    return { revoked: true as const }
  })

/** Omits names of files hidden from the admin. */
export async function listAll(ctx: Context<'vault'>, input: InputOf<typeof publicLinks.listAll>) {
  const { cursor, limit, createdBy } = input
  const { orgId } = ctx.caller
  const name = JSON.stringify(['public links', orgId, createdBy])
  const before = decodeCursor(ctx.vault, name, cursor)
  const rows = await queries.listAllLinks(ctx.sql, orgId, { createdBy, before, limit: limit + 1 })
  const page = cursorPage(ctx.vault, name, limit, rows, (row) => row)
  const active = await listActive(ctx, orgId, page.items)
  const files = await readFiles(ctx, page.items)
  const items = page.items.map((row) =>
    present(row, { fileName: files.get(row.fileId)?.name ?? null, active: active.has(row.id) }),
  )
  return { ...page, items }
}

/** Removing the member from the organization ends their links too. */
export async function revokeAll(ctx: Context, { createdBy }: InputOf<typeof publicLinks.revokeAll>) {
  let revoked = 0
  for (;;) {
    const count = await ctx.transaction(async (inside) => {
      const links = await queries.deleteLinksBy(inside.sql, ctx.caller.orgId, createdBy, BATCH_SIZE)
      const files = await readFiles(inside, links)
      for (const { fileId } of links)
        await publishLink(inside, 'file.unshared', files.get(fileId) ?? unknownFile(fileId))
      if (links.length > 0)
        await recordAudit(inside, {
          action: 'public-links.revoked',
          by: ctx.caller,
          target: createdBy,
          details: { createdBy, links: String(links.length) },
        })
      return links.length
    })
    revoked += count
    if (count < BATCH_SIZE) return { revoked }
  }
}

const readFiles = async ({ sql, caller }: Context, links: readonly { fileId: string }[]) =>
  new Map(
    (
      await listFiles(
        sql,
        caller,
        links.map(({ fileId }) => fileId),
      )
    ).map((file) => [file.id, file]),
  )

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

const findTarget = async (ctx: Context, id: string): Promise<LinkTarget> =>
  (await findFile(ctx.sql, ctx.caller, id)) ?? raise(notFound('File'))

async function requireMayCreate(ctx: Context, file: LinkTarget): Promise<void> {
  requireEdit(file)
  if (file.source === 'link') throw badRequest('This is a shortcut: create a public link to its target')
  if (file.protected) throw badRequest('This is a project folder: share the project instead')
  if (file.status === 'pending') throw notFound('File content')
  if (!(await mayCreate(ctx.sql, ctx.caller)))
    throw forbidden('Your organization does not allow you to create public links', {
      reason: 'public_links_off',
    })
}

interface LinkedFile {
  id: string
  name: string | null
  source: LinkTarget['source'] | null
  projectId: string | null
}

/** Audit log readers may not see the project, so file names are left out. */
async function record(
  ctx: Context,
  type: LinkEvent,
  file: LinkedFile,
  extraDetails: Record<string, string> = {},
): Promise<void> {
  const { id, name, projectId } = file
  const details = { ...(projectId !== null ? { projectId } : name !== null ? { name } : {}), ...extraDetails }
  await recordAudit(ctx, { action: type, by: ctx.caller, target: id, details })
  await publishLink(ctx, type, file)
}

const publishLink = (
  { sql, now, caller }: Context,
  type: LinkEvent,
  { id, source, projectId }: LinkedFile,
): Promise<void> =>
  publishIn(sql, caller.orgId, now(), { type, data: { fileId: id, source, projectId, by: caller.userId } })

const unknownFile = (id: string): LinkedFile => ({ id, name: null, source: null, projectId: null })

interface PresentedFields {
  fileName: string | null
  active: boolean
  url?: string
}

const present = (row: queries.LinkRow, { fileName, active, url }: PresentedFields) => ({
  id: row.id,
  fileId: row.fileId,
  fileName,
  url: url ?? null,
  hasPassword: row.passwordHash !== null,
  expiresAt: row.expiresAt,
  active,
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  lastUsedAt: row.lastUsedAt,
})
