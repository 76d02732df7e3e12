import { FileName } from '../../../../../contract/files/files.ts'
import type { SourceAction } from '../../../../../contract/knowledge/source-options.ts'
import type { Context } from '../../../../context.ts'
import { cut } from '../../../../database/name-keys.ts'
import { ApiError } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import { discardObject, type StoredUpload, storeUpload, syncedFiles } from '../../../files/files/files.ts'
import type { Content, RemoteItem } from '../providers/provider.ts'
import { SourceFailure } from '../providers/source-failure.ts'
import type { Progress, SourceRow } from '../records.ts'
import type { ItemRow } from './queries.ts'
import * as queries from './queries.ts'
import type { Session } from './session.ts'

/** Then the item is skipped until the next sync, and the rest continues. */
const ATTEMPTS_MAX = 3
const REASON_MAX = 500

type Inside = Context<'objects' | 'quotas'>

/** Stores one listed item. Every outcome is one transaction: file, item and log row, or none of them. */
export async function writeItem(session: Session, progress: Progress, item: RemoteItem): Promise<void> {
  const { due, acting, source } = session
  const known = await queries.findItem(acting.sql, due, item.id)
  if (item.skip !== undefined) return skip(session, progress, item, known, item.skip)
  const isCurrent = known !== null && known.version !== null && known.version === item.version
  if (isCurrent && known.state !== 'failed') return place(session, progress, item, known)
  if (known?.fileId && known.state !== 'skipped') {
    const obstacle = await findObstacle(acting, source, known.fileId)
    if (obstacle) return detach(session, progress, item, known, obstacle)
  }
  let stored: StoredUpload | null = null
  const store = async (content: Content) => {
    stored = await storeUpload(acting, { name: content.name ?? item.name, ...content })
    return stored
  }
  try {
    const kept = known?.state === 'synced' ? known : null
    const outcome = await session.provider.download(session.remote, session.settings, item, kept, store)
    if (outcome.kind === 'gone') return
    if (outcome.kind === 'skipped') return await skip(session, progress, item, known, outcome.reason)
    if (outcome.kind === 'unchanged')
      return await place(session, progress, { ...item, version: outcome.version }, known!)
    const renamed = { ...item, name: cleanName(outcome.name ?? item.name), version: outcome.version }
    await save(session, progress, renamed, outcome.stored, outcome.etag ?? null)
    stored = null
  } catch (error) {
    if (error instanceof ApiError && error.code === 'BAD_REQUEST')
      return await skip(session, progress, item, known, error.message.replace(/^body\.\w+ /, 'It '))
    if (error instanceof SourceFailure && error.means === 'try_again' && error.retryAt === null)
      return await fail(session, progress, item, known, error)
    throw error
  } finally {
    if (stored !== null) await discardObject(acting, due.orgId, (stored as StoredUpload).key)
  }
}

/** Inserts the file, or makes the content its next version. */
const save = (
  session: Session,
  progress: Progress,
  item: RemoteItem,
  upload: StoredUpload,
  etag: string | null,
) =>
  session.leased(async (inside, source) => {
    const { due } = session
    const known = await queries.findItem(inside.sql, due, item.id)
    const folderId = await syncedFiles.ensureFolders(inside, source.folderId, item.folders)
    const { sha256, size } = upload
    const remember = (fileId: string) =>
      storeItem(inside, session, source, item, {
        ...{ fileId, folderId, version: item.version, etag, sha256 },
        ...{ state: 'synced' as const, reason: null },
      })
    const file = known?.fileId ? await syncedFiles.lock(inside.sql, due.orgId, known.fileId) : null
    if (!known?.fileId) {
      const { id } = await syncedFiles.insert(inside, { ...upload, name: item.name }, folderId)
      await remember(id)
      return log(inside, session, progress, item, { action: 'added', fileId: id, bytes: size })
    }
    const obstacle = obstacleOf(source, file)
    if (!file || obstacle) {
      await discardObject(inside, due.orgId, upload.key)
      return detachInside(inside, session, source, progress, item, known, obstacle ?? PURGED)
    }
    const isMoved = await moveIfOurs(inside, known, file, { folderId, name: item.name })
    await remember(file.id)
    if (file.sha256 === sha256) {
      await discardObject(inside, due.orgId, upload.key)
      if (isMoved) await log(inside, session, progress, item, { action: 'moved', fileId: file.id })
      return
    }
    const reason =
      file.sha256 === known.sha256 ? null : 'It was also changed here: its versions keep that text'
    await syncedFiles.replace(inside, file.id, upload)
    await log(inside, session, progress, item, { action: 'changed', fileId: file.id, bytes: size, reason })
  })

/** The content is current. Follows a rename or move. */
async function place(session: Session, progress: Progress, item: RemoteItem, known: ItemRow): Promise<void> {
  const isPlaced = known.path === item.folders.join('/') && known.name === item.name
  if (isPlaced && known.version === item.version) return markSeen(session, [item.id])
  await session.leased(async (inside, source) => {
    const { due } = session
    const stays = !known.fileId || isPlaced || known.state !== 'synced'
    const folderId = stays
      ? known.folderId
      : await syncedFiles.ensureFolders(inside, source.folderId, item.folders)
    const file = stays || !known.fileId ? null : await syncedFiles.lock(inside.sql, due.orgId, known.fileId)
    const isMoved =
      file !== null &&
      folderId !== null &&
      obstacleOf(source, file) === null &&
      (await moveIfOurs(inside, known, file, { folderId, name: item.name }))
    await storeItem(inside, session, source, item, { ...known, folderId, version: item.version })
    if (isMoved) await log(inside, session, progress, item, { action: 'moved', fileId: known.fileId })
  })
}

/** A file that a member moved or renamed stays there. */
async function moveIfOurs(
  inside: Inside,
  known: ItemRow,
  file: syncedFiles.SyncedFile,
  to: { folderId: string; name: string },
): Promise<boolean> {
  const isOurs = file.parentId === known.folderId && file.name === known.name
  if (!isOurs || (file.parentId === to.folderId && file.name === to.name)) return false
  await syncedFiles.move(inside, file.id, { name: to.name, parentId: to.folderId })
  return true
}

/** No longer listed: moves the file to the trash, unless a member changed it. */
export const removeItem = (session: Session, progress: Progress, externalId: string) =>
  session.leased(async (inside, source) => {
    const { due } = session
    const known = await queries.findItem(inside.sql, due, externalId)
    if (!known) return
    const { fileId } = known
    const item = { id: externalId, folders: known.path === '' ? [] : known.path.split('/'), name: known.name }
    await queries.deleteItem(inside.sql, due, externalId)
    const file = fileId === null ? null : await syncedFiles.lock(inside.sql, due.orgId, fileId)
    if (!file || known.state === 'skipped' || obstacleOf(source, file) !== null) return
    if (file.sha256 !== known.sha256) {
      const reason = 'It was deleted there, and changed here'
      return log(inside, session, progress, item, { action: 'kept', fileId, reason })
    }
    await syncedFiles.trash(inside, file.id)
    await log(inside, session, progress, item, { action: 'removed', fileId })
  })

const skip = (
  session: Session,
  progress: Progress,
  item: RemoteItem,
  known: ItemRow | null,
  text: string,
) => {
  const reason = text.slice(0, REASON_MAX)
  if (known?.state === 'skipped' && known.reason === reason && known.version === item.version)
    return markSeen(session, [item.id])
  return session.leased(async (inside, source) => {
    const fileId = known?.fileId ?? null
    await storeItem(inside, session, source, item, {
      ...{ fileId, folderId: known?.folderId ?? null, version: item.version, etag: null },
      ...{ sha256: known?.sha256 ?? null, state: 'skipped', reason },
    })
    if (known?.reason !== reason || known.state !== 'skipped')
      await log(inside, session, progress, item, { action: 'skipped', fileId, reason })
  })
}

async function fail(
  session: Session,
  progress: Progress,
  item: RemoteItem,
  known: ItemRow | null,
  failure: SourceFailure,
): Promise<void> {
  const attempts = (known?.attempts ?? 0) + 1
  const reason = failure.message.slice(0, REASON_MAX)
  const isOver = attempts >= ATTEMPTS_MAX
  await session.leased(async (inside, source) => {
    await storeItem(inside, session, source, item, {
      ...{ fileId: known?.fileId ?? null, folderId: known?.folderId ?? null, version: null },
      ...{ etag: known?.etag ?? null, sha256: known?.sha256 ?? null, state: 'failed', reason, attempts },
    })
    if (attempts === ATTEMPTS_MAX)
      await log(inside, session, progress, item, { action: 'skipped', fileId: null, reason })
  })
  if (!isOver) throw failure
}

const PURGED = 'Its file was deleted here'

const obstacleOf = (source: SourceRow, file: syncedFiles.SyncedFile | null): string | null => {
  if (!file || file.isTrashed) return PURGED
  return file.projectId === source.projectId ? null : 'Its file was moved to another project'
}

async function findObstacle(ctx: Inside, source: SourceRow, fileId: string): Promise<string | null> {
  const file = await syncedFiles.lock(ctx.sql, source.orgId, fileId)
  return obstacleOf(source, file)
}

/** Deleted or taken elsewhere by a member, so the sync leaves it alone. */
const detach = (session: Session, progress: Progress, item: RemoteItem, known: ItemRow, reason: string) =>
  session.leased((inside, source) => detachInside(inside, session, source, progress, item, known, reason))

async function detachInside(
  inside: Inside,
  session: Session,
  source: SourceRow,
  progress: Progress,
  item: RemoteItem,
  known: ItemRow,
  reason: string,
): Promise<void> {
  await storeItem(inside, session, source, item, {
    ...known,
    version: item.version,
    state: 'detached',
    reason,
  })
  if (known.state !== 'detached')
    await log(inside, session, progress, item, { action: 'kept', fileId: known.fileId, reason })
}

const storeItem = (
  inside: Inside,
  { due }: Session,
  { pass }: SourceRow,
  item: RemoteItem,
  stored: queries.StoredItem,
) => queries.upsertItem(inside.sql, due, item, stored, { pass, now: inside.now() })

export const markSeen = (session: Session, ids: string[]): Promise<void> =>
  session.leased(async (inside, source) => {
    await queries.markSeen(inside.sql, session.due, ids, source.pass)
  })

interface Logged {
  action: SourceAction
  fileId: string | null
  reason?: string | null
  bytes?: number
}

const log = (
  inside: Inside,
  { due }: Session,
  { syncId }: Progress,
  { folders, name }: Pick<RemoteItem, 'folders' | 'name'>,
  { action, fileId, reason = null, bytes = 0 }: Logged,
) =>
  queries.insertLog(inside.sql, due, {
    ...{ id: newId(), syncId, action, path: [...folders, name].join('/'), fileId, reason, bytes },
    now: inside.now(),
  })

const NAME_POINTS_MAX = 200

export const withCleanNames = (item: RemoteItem): RemoteItem => ({
  ...item,
  folders: item.folders.map(cleanName),
  name: cleanName(item.name),
})

/** A name that files may have, whatever the provider allows. */
function cleanName(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll('/', '\u2215')
    .trim()
  const extension = /(?<=.)\.[^.\s]{1,20}$/u.exec(plain)?.[0] ?? ''
  const stem = plain.slice(0, plain.length - extension.length)
  const name = cut(stem, NAME_POINTS_MAX) + extension
  return name !== '' && FileName.safeParse(name).success ? name : 'Untitled'
}
