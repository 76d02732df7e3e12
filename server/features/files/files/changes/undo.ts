import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { toSearchKey, toSortKey } from '../../../../database/name-keys.ts'
import { forbidden, notFound, raise } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import type { Access, Viewer } from '../../../projects/access/access.ts'
import { folderAccess } from '../access.ts'
import { publishFileEvent } from '../events.ts'
import { type FileState, insertChange, lockChanges, lockState, type Recording } from '../record-change.ts'
import { type FileRow, selectFile } from '../records.ts'
import { deletePending, updateDeleted } from '../trash/queries.ts'
import { findRootFolder } from '../tree/destination.ts'
import {
  type FolderRow,
  findFolder,
  lockFolder,
  lockTree,
  updateParent,
  updateTrashed,
  updateUntrashed,
} from '../tree/folder-queries.ts'
import { findByContent, replaceContent } from '../versions/queries.ts'
import { changedFields, type FileUndo, isUntrashed, planUndo } from './plan-undo.ts'
import { type FoldedFile, foldFiles, lockChangedFiles } from './queries.ts'

/** Throws unless the caller may edit every file. With `lock`, nobody else changes them until the transaction ends. */
export async function planFileUndo(
  ctx: Context,
  runIds: readonly string[],
  { lock }: { lock: boolean },
): Promise<FileUndo[]> {
  const { sql, caller } = ctx
  const { orgId } = caller
  for (const runId of runIds.toSorted()) await lockChanges(sql, orgId, runId)
  if (lock) {
    await lockTree(sql, orgId, 'change')
    await lockChangedFiles(sql, orgId, runIds)
  }
  const files = await foldFiles(sql, orgId, runIds)
  if (files.length === 0) return []
  await requireEditable(ctx, files)
  const created = files.filter(({ before, after }) => before === null && after.source === 'folder')
  const createdOrMoved = files
    .filter((file) => file.before === null || changedFields(file).parentId)
    .map(({ id }) => id)
  const parents = files.flatMap(({ before }) => before?.parentId ?? [])
  const folders = await listFolders(sql, orgId, parents)
  const inUse = created.length === 0 ? [] : await listInUse(sql, orgId, created, createdOrMoved)
  return planUndo(files, {
    folders: new Map(folders.map((folder) => [folder.id, folder])),
    inUse: new Set(inUse),
  })
}

async function requireEditable({ sql, caller }: Context, files: readonly FoldedFile[]): Promise<void> {
  const states = files.flatMap(({ before, current }) => [before, current].filter((state) => state !== null))
  const projectIds = [...new Set(states.map(({ projectId }) => projectId))]
  const accesses = await listAccess(sql, caller, projectIds)
  if (accesses.every(({ access }) => access === 'edit')) return
  throw forbidden('The run changed files that you cannot edit', { reason: 'view_only' })
}

/** Records the undo as another run's changes. Folders come before their contents. */
export async function applyFileUndo(ctx: Context<'quotas'>, plan: readonly FileUndo[], undoRunId: string) {
  const recording = { sql: ctx.sql, orgId: ctx.caller.orgId, runId: undoRunId, now: ctx.now() }
  const reverted = plan.filter(({ action, file }) => action !== 'skipped' && file.before !== null)
  for (const { file } of byDepth(reverted, ({ before }) => before)) await revert(ctx, recording, file)
  const removed = plan.filter(({ action }) => action === 'removed')
  for (const { file } of byDepth(removed, ({ current }) => current)) await trash(ctx, recording, file.id)
}

const byDepth = (plan: readonly FileUndo[], stateOf: (file: FoldedFile) => FileState | null) =>
  plan.toSorted((a, b) => stateOf(a.file)!.path.length - stateOf(b.file)!.path.length)

/** Reverts only fields that the run changed. Other edits stay. */
async function revert(ctx: Context<'quotas'>, recording: Recording, file: FoldedFile): Promise<void> {
  const { id } = file
  const { sql, orgId, now } = recording
  const before = file.before!
  const current = (await lockState(sql, orgId, id)) ?? raise(notFound('File'))
  const changed = changedFields(file)
  const untrashes = current.trashed && isUntrashed(file)
  const isMoved = changed.parentId || untrashes
  if (!isMoved && !changed.content && !changed.name && !changed.tags) return
  const parent = isMoved ? await destinationOf(ctx, id, before) : null
  if (current.source === 'folder') await revertFolder(ctx, id, parent, untrashes)
  const versionId = changed.content ? await revertContent(ctx, recording, id, before) : undefined
  const row = await updateReverted(sql, ctx.caller, {
    id,
    name: changed.name ? before.name : current.name,
    parentId: parent?.id ?? current.parentId,
    tags: changed.tags ? before.tags : current.tags,
    isUntrashed: untrashes,
    version: current.version + 1,
    now,
  })
  await insertChange(recording, { id, before: current, ...(versionId && { formerId: versionId }) })
  const isElsewhere = row.parentId !== current.parentId
  await publishFileEvent(ctx, untrashes ? 'file.restored' : isElsewhere ? 'file.moved' : 'file.updated', row)
}

/** Returns the version that keeps the run's content. */
async function revertContent(
  ctx: Context<'quotas'>,
  { sql, orgId, now }: Recording,
  id: string,
  before: FileState,
) {
  const content =
    (before.sha256 && (await findByContent(sql, orgId, id, { ...before, sha256: before.sha256 }))) ||
    raise(notFound('Former content'))
  const versionId = newId()
  await ctx.quotas.reserve(sql, orgId, { storage: content.size })
  const by = ctx.caller.userId
  await replaceContent(sql, orgId, { ...content, id, versionId, runId: undefined, by, now })
  return versionId
}

/** The project's folder if the former one was deleted or is now inside this one. */
async function destinationOf(ctx: Context, id: string, { parentId, projectId }: FileState) {
  const parent = await lockFolder(ctx.sql, ctx.caller.orgId, parentId)
  return parent && !parent.path.includes(id) ? parent : findRootFolder(ctx, projectId)
}

async function revertFolder(ctx: Context, id: string, parent: FolderRow | null, untrashes: boolean) {
  const { orgId } = ctx.caller
  const folder = (await findFolder(ctx.sql, orgId, id)) ?? raise(notFound('File'))
  if (untrashes) await updateUntrashed(ctx.sql, orgId, id)
  if (parent && parent.id !== folder.parentId) await updateParent(ctx.sql, orgId, folder, parent)
}

/** Does nothing if already trashed, by itself or with a folder. */
async function trash(ctx: Context, recording: Recording, id: string): Promise<void> {
  const { sql, orgId, now } = recording
  if (await deletePending(sql, orgId, id)) return
  const current = await lockState(sql, orgId, id)
  if (!current || !(await updateDeleted(sql, ctx.caller, id, now))) return
  if (current.source === 'folder') await updateTrashed(sql, orgId, id)
  await insertChange(recording, { id, before: current })
  const { source, projectId } = current
  await publishFileEvent(ctx, 'file.deleted', { orgId, id, source, projectId })
}

const listFolders = (sql: Sql, orgId: string, ids: string[]) => sql<
  { id: string; trashedBy: string | null }[]
>`
  select id, trashed_by as "trashedBy" from folders where org_id = ${orgId} and id = any(${ids}::uuid[])`

interface CreatedFolder {
  id: string
  firstAt: string
}

/**
 * Folders with files that the run neither created nor moved there. Copies have their copied folder's time. Files added
 * by others are newer than every run folder around them.
 */
async function listInUse(
  sql: Sql,
  orgId: string,
  folders: readonly CreatedFolder[],
  createdOrMoved: readonly string[],
) {
  const ids = folders.map(({ id }) => id)
  const times = folders.map(({ firstAt }) => firstAt)
  const rows = await sql<{ id: string }[]>`
    select d.id from unnest(${ids}::uuid[]) d (id) where exists (
      select from folders p join files f on f.org_id = p.org_id and f.parent_id = p.id
      where p.org_id = ${orgId} and p.path @> array[d.id] and p.trashed_by is null and f.deleted_at is null
        and f.id <> all(${[...createdOrMoved]}::uuid[]) and f.updated_at > (
          select max(own.at) from unnest(${ids}::uuid[], ${times}::timestamptz[]) own (id, at)
          where own.id = any(p.path)))`
  return rows.map(({ id }) => id)
}

/** A null project id means outside projects. */
const listAccess = (sql: Sql, viewer: Viewer, projectIds: (string | null)[]) => sql<
  { access: Access | null }[]
>`
  select ${folderAccess(sql, viewer, sql`d.id`)} as access from unnest(${projectIds}::uuid[]) d (id)`

interface RevertedFields {
  id: string
  name: string
  parentId: string
  tags: string[]
  isUntrashed: boolean
  version: number
  now: Date
}

async function updateReverted(sql: Sql, viewer: Viewer, fields: RevertedFields) {
  const { id, name, parentId, tags, isUntrashed, version, now } = fields
  const [row] = await sql<FileRow[]>`
    with f as (
      update files f set name = ${name}, sort_key = ${toSortKey(name)}, search_key = ${toSearchKey(name)},
        parent_id = ${parentId}, tags = ${tags}, version = ${version}, updated_at = ${now}
        ${isUntrashed ? sql`, deleted_at = null, trashed_from = null` : sql``}
      where org_id = ${viewer.orgId} and id = ${id}
      returning *
    ) ${selectFile(sql, viewer, sql`f`)}`
  return row!
}
