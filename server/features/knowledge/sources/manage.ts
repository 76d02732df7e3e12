import type { z } from 'zod'
import type { InputOf } from '../../../../contract/endpoint.ts'
import {
  SOURCE_KINDS,
  SOURCE_LIMITS,
  type SourceKind,
} from '../../../../contract/knowledge/source-options.ts'
import type { sources } from '../../../../contract/knowledge/sources.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import { ApiError, badField, conflict, notFound, raise } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { listUsable } from '../../connections/connections/connections.ts'
import { syncedFiles } from '../../files/files/files.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { PROVIDERS } from './providers/providers.ts'
import * as queries from './queries.ts'
import { present, type SourceRow } from './records.ts'

export const getSource = async (ctx: Context, { id }: InputOf<typeof sources.get>) =>
  present(await queries.findSource(ctx, id))

export async function listSources(
  ctx: Context<'vault'>,
  { limit, cursor, projectId }: InputOf<typeof sources.list>,
) {
  const { orgId, userId } = ctx.caller
  const project = projectId === undefined ? undefined : (await findProject(ctx, projectId)).id
  const list = `sources ${orgId} ${userId} ${project ?? ''}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await queries.listSources(ctx.sql, ctx.caller, project, { before, limit: limit + 1 })
  return cursorPage(ctx.vault, list, limit, rows, present)
}

export async function listSyncs(ctx: Context<'vault'>, { id, limit, cursor }: InputOf<typeof sources.syncs>) {
  const { orgId } = ctx.caller
  await queries.findSource(ctx, id)
  const list = `source syncs ${orgId} ${id}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await queries.listSyncs(ctx.sql, orgId, id, { before, limit: limit + 1 })
  return cursorPage(ctx.vault, list, limit, rows, (row) => row)
}

export async function listLog(
  ctx: Context<'vault'>,
  { id, limit, cursor, ...filter }: InputOf<typeof sources.log>,
) {
  const { orgId } = ctx.caller
  await queries.findSource(ctx, id)
  const list = `source log ${orgId} ${id} ${filter.syncId ?? ''} ${filter.action ?? ''}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await queries.listLog(ctx.sql, orgId, id, filter, { before, limit: limit + 1 })
  return cursorPage(ctx.vault, list, limit, rows, (row) => row)
}

export async function listReaders(ctx: Context, { projectId }: InputOf<typeof sources.readers>) {
  const { id } = await findProject(ctx, projectId)
  const found = await queries.findReaders(ctx.sql, ctx.caller.orgId, id, ctx.now())
  const guests = found.hasGuests ? [{ kind: 'guests' as const, name: '', count: null }] : []
  const { visibility, creator } = found
  if (visibility === 'private')
    return { visibility, items: [{ kind: 'creator' as const, name: creator, count: 1 }, ...guests] }
  return {
    visibility,
    items: [
      ...found.workspaces.map(({ name, count }) => ({ kind: 'workspace' as const, name, count })),
      { kind: 'admins' as const, name: '', count: found.admins },
      ...guests,
    ],
  }
}

export const createSource = (ctx: Context<'quotas'>, input: InputOf<typeof sources.create>) =>
  ctx.transaction(async (inside) => {
    const { orgId, userId } = ctx.caller
    const { kind, parentId, intervalMinutes } = input
    const project = await findProject(inside, input.projectId, 'edit')
    const settings = parseSettings(kind, input.settings)
    const connectionId = await requireConnection(inside, project.id, kind, input.connectionId)
    if ((await queries.countOfProject(inside.sql, orgId, project.id)) >= SOURCE_LIMITS.perProject)
      throw conflict(`A project has at most ${SOURCE_LIMITS.perProject} sources`)
    const name = input.name ?? PROVIDERS[kind].nameOf(settings as never)
    const folder = await syncedFiles.addFolder(inside, { projectId: project.id, parentId, name })
    const source = {
      ...{ id: newId(), projectId: project.id, folderId: folder.id, kind, name, settings, connectionId },
      ...{ intervalMinutes, ownerId: userId, now: ctx.now() },
    }
    await queries.insertSource(inside.sql, orgId, source)
    queries.wakeWorkers(inside.sql)
    await audit(inside, 'source.created', source)
    return getSource(inside, source)
  })

/** A changed source acts with the permissions of the member who changed it. */
export const updateSource = (
  ctx: Context,
  { id, name, settings, connectionId, intervalMinutes, enabled }: InputOf<typeof sources.update>,
) =>
  ctx.transaction(async (inside) => {
    const { orgId, userId } = ctx.caller
    const now = ctx.now()
    const { projectId } = await queries.findSource(inside, id, 'edit')
    const before = (await queries.lockSource(inside.sql, orgId, id)) ?? raise(notFound('Source'))
    const isRetargeted = settings !== undefined || connectionId !== undefined
    const isTakenOver = isRetargeted || enabled === true
    const isResumed = enabled === true || (isRetargeted && before.pausedReason !== null)
    const after = {
      ...before,
      name: name ?? before.name,
      intervalMinutes: intervalMinutes ?? before.intervalMinutes,
      enabled: enabled ?? before.enabled,
      ...(settings && { settings: parseSettings(before.kind, settings) }),
      ...(isTakenOver && {
        ownerId: userId,
        connectionId: await requireConnection(
          inside,
          projectId,
          before.kind,
          connectionId ?? before.connectionId ?? undefined,
        ),
      }),
    }
    const isActive = after.enabled && (before.pausedReason === null || isResumed)
    const isRetimed = intervalMinutes !== undefined && !isTakenOver
    const dueAt = !isActive
      ? null
      : isTakenOver || before.nextSyncAt === null || before.progress !== null
        ? now
        : isRetimed
          ? new Date(Math.min(Date.parse(before.nextSyncAt), now.getTime() + after.intervalMinutes * 60_000))
          : new Date(before.nextSyncAt)
    if (before.progress !== null && (isRetargeted || !after.enabled))
      await queries.endSync(inside.sql, orgId, before.progress.syncId, {
        outcome: 'paused',
        error: 'The source was changed',
        now,
      })
    await queries.updateSource(inside.sql, orgId, { ...after, isRetargeted, isResumed, dueAt, now })
    queries.wakeWorkers(inside.sql)
    await audit(inside, 'source.updated', after)
    return getSource(inside, { id })
  })

export const deleteSource = (ctx: Context, { id, files }: InputOf<typeof sources.remove>) =>
  ctx.transaction(async (inside) => {
    const source = await queries.findSource(inside, id, 'edit')
    await queries.lockSource(inside.sql, ctx.caller.orgId, id)
    await queries.deleteSource(inside.sql, ctx.caller.orgId, id)
    if (files === 'trash') await trashFolder(inside, source)
    await audit(inside, 'source.deleted', source)
    return { deleted: true as const }
  })

async function trashFolder(ctx: Context, { projectId, folderId }: SourceRow): Promise<void> {
  const folder = await syncedFiles.findFolderOf(ctx.sql, ctx.caller.orgId, projectId, folderId)
  if (folder) await syncedFiles.trash(ctx, folderId)
}

export const syncNow = (ctx: Context, { id }: InputOf<typeof sources.sync>) =>
  ctx.transaction(async (inside) => {
    const source = await queries.findSource(inside, id, 'edit')
    if (!source.enabled || source.pausedReason !== null)
      throw new ApiError('CONFLICT', 'The source is paused or not enabled: resume it first', {
        details: { reason: 'source_paused' },
      })
    await queries.requestSync(inside.sql, ctx.caller.orgId, id, ctx.now())
    queries.wakeWorkers(inside.sql)
    return getSource(inside, { id })
  })

export function parseSettings(kind: SourceKind, settings: unknown): Record<string, unknown> {
  const parsed = (PROVIDERS[kind].settings as z.ZodObject).safeParse(settings)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = ['body', 'settings', ...issue!.path].join('.')
  throw badField(
    field,
    issue!.code === 'unrecognized_keys' ? `has unknown fields: ${issue.keys.join(', ')}` : issue!.message,
  )
}

async function requireConnection(
  { sql, caller }: Context,
  projectId: string,
  kind: SourceKind,
  connectionId: string | undefined,
): Promise<string | null> {
  const { connector, label } = SOURCE_KINDS[kind]
  if (connector === null) {
    if (connectionId !== undefined) throw badField('body.connectionId', 'is not for websites')
    return null
  }
  if (connectionId === undefined) throw badField('body.connectionId', `is required for a ${label}`)
  const usable = await listUsable(sql, caller.orgId, { userId: caller.userId, projectId, slugs: [connector] })
  const found = usable.find(({ id }) => id === connectionId)
  if (!found) throw badField('body.connectionId', `is not a connection to ${label} that you can use here`)
  return found.id
}

const audit = (
  ctx: Context,
  action: 'source.created' | 'source.updated' | 'source.deleted',
  { id, name, kind, projectId }: Pick<SourceRow, 'id' | 'name' | 'kind' | 'projectId'>,
) => recordAudit(ctx, { action, by: ctx.caller, target: id, details: { name, kind, projectId } })
