import type { Context } from '../../../../context.ts'
import { forbidden, notFound, raise } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import { publishFileEvent } from '../events.ts'
import { deletePending, updateDeleted } from '../trash/trash-queries.ts'
import { rootFolderOf } from '../tree/destination.ts'
import {
  type FolderRow,
  findFolder,
  lockFolder,
  lockTree,
  updateParent,
  updateTrashed,
  updateUntrashed,
} from '../tree/folder-queries.ts'
import { findByContent, replaceContent } from '../versions/version-queries.ts'
import { type FileState, lockState } from './file-state.ts'
import { type FoldedFile, foldFiles, lockChangedFiles } from './fold-queries.ts'
import { insertChange, lockChanges, type Recording } from './record-change.ts'
import { changedFields, type FileUndo, isUntrashed, planUndo } from './undo-plan.ts'
import * as queries from './undo-queries.ts'

/**
 * The effect of an undo of the runs on files, in the transaction of the undo. Throws unless the caller may edit all of them.
 * With `lock`, no other caller changes them until the transaction ends.
 */
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
  const folders = await queries.listFolders(sql, orgId, parents)
  const inUse = created.length === 0 ? [] : await queries.listInUse(sql, orgId, created, createdOrMoved)
  return planUndo(files, {
    folders: new Map(folders.map((folder) => [folder.id, folder])),
    inUse: new Set(inUse),
  })
}

async function requireEditable({ sql, caller }: Context, files: readonly FoldedFile[]): Promise<void> {
  const states = files.flatMap(({ before, current }) => [before, current].filter((state) => state !== null))
  const projectIds = [...new Set(states.map(({ projectId }) => projectId))]
  const accesses = await queries.listAccess(sql, caller, projectIds)
  if (accesses.every(({ access }) => access === 'edit')) return
  throw forbidden('The run changed files that you cannot edit', { reason: 'view_only' })
}

/** Carries out a plan and records it as the changes of another run. Folders come before their contents. */
export async function applyFileUndo(ctx: Context, plan: readonly FileUndo[], undoRunId: string) {
  const recording = { sql: ctx.sql, orgId: ctx.caller.orgId, runId: undoRunId, now: ctx.now() }
  const reverted = plan.filter(({ action, file }) => action !== 'skipped' && file.before !== null)
  for (const { file } of byDepth(reverted, ({ before }) => before)) await revert(ctx, recording, file)
  const removed = plan.filter(({ action }) => action === 'removed')
  for (const { file } of byDepth(removed, ({ current }) => current)) await trash(ctx, recording, file.id)
}

const byDepth = (plan: readonly FileUndo[], stateOf: (file: FoldedFile) => FileState | null) =>
  plan.toSorted((a, b) => stateOf(a.file)!.path.length - stateOf(b.file)!.path.length)

/** Reverts the fields that the run changed; those that only others changed stay. */
async function revert(ctx: Context, recording: Recording, file: FoldedFile): Promise<void> {
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
  const row = await queries.updateReverted(sql, ctx.caller, {
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

/** Gives the file the content from before the run. Returns the id of the version that keeps the content of the run. */
async function revertContent(ctx: Context, { sql, orgId, now }: Recording, id: string, before: FileState) {
  const content =
    (before.sha256 && (await findByContent(sql, orgId, id, { ...before, sha256: before.sha256 }))) ||
    raise(notFound('Former content'))
  const versionId = newId()
  await ctx.quotas.reserve(sql, orgId, { storage: content.size })
  const by = ctx.caller.userId
  await replaceContent(sql, orgId, { ...content, id, versionId, runId: undefined, by, now })
  return versionId
}

/** The folder that contained it, or the folder of its project if that folder was deleted or is now inside of this one. */
async function destinationOf(ctx: Context, id: string, { parentId, projectId }: FileState) {
  const parent = await lockFolder(ctx.sql, ctx.caller.orgId, parentId)
  return parent && !parent.path.includes(id) ? parent : rootFolderOf(ctx, projectId)
}

async function revertFolder(ctx: Context, id: string, parent: FolderRow | null, untrashes: boolean) {
  const { orgId } = ctx.caller
  const folder = (await findFolder(ctx.sql, orgId, id)) ?? raise(notFound('File'))
  if (untrashes) await updateUntrashed(ctx.sql, orgId, id)
  if (parent && parent.id !== folder.parentId) await updateParent(ctx.sql, orgId, folder, parent)
}

/** Moves a file to the trash, unless it is already there, by itself or with a folder. */
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
