import type { InputOf } from '../../../../contract/endpoint.ts'
import type { sharing } from '../../../../contract/projects/sharing.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import { newId } from '../../../security/ids.ts'
import { hashPassword } from '../../../security/passwords.ts'
import { randomToken } from '../../../security/random.ts'
import { notifyAccessChanged } from '../../../streams/notify.ts'
import {
  auditName,
  findProject,
  lockProject,
  type ProjectRow,
  publishProjectEvent,
} from '../projects/projects.ts'
import { listInvites } from './invite-queries.ts'
import { present as presentInvite, requireFuture } from './invites.ts'
import * as queries from './share-queries.ts'

type ShareInput = InputOf<typeof sharing.share>

export async function readSharing(ctx: Context, input: InputOf<typeof sharing.read>) {
  const { orgId, id } = await findProject(ctx, input.projectId, 'edit')
  const [share, invites] = await Promise.all([
    queries.findShare(ctx.sql, orgId, id),
    listInvites(ctx.sql, orgId, id, ctx.now()),
  ])
  return { share: share && present(share), invites: invites.map((invite) => presentInvite(invite)) }
}

export async function share(ctx: Context, input: ShareInput) {
  requireFuture(ctx, input.expiresAt)
  // Hash before the transaction: it's slow and would hold the project lock.
  const hash = input.password
    ? await hashPassword(input.password, { lane: 'known', key: ctx.caller.orgId })
    : input.password
  return ctx.transaction(async (inside) => {
    const project = await lockProject(inside, input.projectId)
    const before = await queries.findShare(inside.sql, project.orgId, project.id)
    return before ? change(inside, project, before, input, hash) : create(inside, project, input, hash)
  })
}

async function create(ctx: Context, project: ProjectRow, input: ShareInput, hash: string | null | undefined) {
  const token = randomToken(32)
  const row = await queries.insertShare(ctx.sql, project.orgId, project.id, {
    id: newId(),
    tokenHash: sha256(token),
    access: input.access ?? 'view',
    passwordHash: hash ?? null,
    expiresAt: input.expiresAt ?? null,
    createdBy: ctx.caller.userId,
    now: ctx.now(),
  })
  await record(ctx, project, row, 'created')
  return present(row, linkOf(ctx, token))
}

/** Closes guests' streams, which reconnect with the new access. */
async function change(
  ctx: Context,
  project: ProjectRow,
  before: queries.ShareRow,
  input: ShareInput,
  hash: string | null | undefined,
) {
  const token = input.rotate ? randomToken(32) : null
  const passwordChanged = hash !== undefined && (hash !== null || before.passwordHash !== null)
  const isReopened = before.expiresAt !== null && new Date(before.expiresAt) <= ctx.now()
  const row = await queries.updateShare(ctx.sql, project.orgId, project.id, {
    tokenHash: token === null ? null : sha256(token),
    access: input.access ?? before.access,
    passwordHash: hash === undefined ? before.passwordHash : hash,
    expiresAt: input.expiresAt === undefined ? before.expiresAt : input.expiresAt,
    version: before.version + (token || passwordChanged || isReopened ? 1 : 0),
    now: ctx.now(),
  })
  await record(ctx, project, row, token ? 'rotated' : 'changed')
  await closeGuestStreams(ctx, project)
  return present(row, token && linkOf(ctx, token))
}

export async function unshare(ctx: Context, input: InputOf<typeof sharing.unshare>) {
  return ctx.transaction(async (inside) => {
    const project = await lockProject(inside, input.projectId)
    const { orgId, id } = project
    if (!(await queries.deleteShare(inside.sql, orgId, id))) throw notFound('Share link')
    const details = auditName(project)
    await recordAudit(inside, { action: 'project.unshared', by: ctx.caller, target: id, details })
    await publishProjectEvent(inside, 'project.unshared', project)
    await closeGuestStreams(inside, project)
    return { revoked: true as const }
  })
}

const closeGuestStreams = ({ sql }: Context, { orgId, id }: ProjectRow) =>
  sql`select ${notifyAccessChanged(sql, { orgId, projectId: id })}`

async function record(ctx: Context, project: ProjectRow, { access }: queries.ShareRow, how: string) {
  const details = { ...auditName(project), access, how }
  await recordAudit(ctx, { action: 'project.shared', by: ctx.caller, target: project.id, details })
  await publishProjectEvent(ctx, 'project.shared', project, { access, how })
}

const linkOf = (ctx: Context, token: string) => `${ctx.origin.baseUrl}/s/${token}`

const present = (
  { id, access, expiresAt, passwordHash, createdAt }: queries.ShareRow,
  url: string | null = null,
) => ({ id, url, access, expiresAt, hasPassword: passwordHash !== null, createdAt })
