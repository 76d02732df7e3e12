import type { InputOf } from '../../../../../contract/endpoint.ts'
import { FILE_VERSIONS_MAX, type fileVersions } from '../../../../../contract/files/file-versions.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context } from '../../../../context.ts'
import { versionPage } from '../../../../database/cursor.ts'
import { type PreparedCall, reply } from '../../../../endpoint/route.ts'
import { badField, badRequest, conflict, forbidden, notFound, raise, stale } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import { canPurge, requireEdit } from '../access.ts'
import { declaredType } from '../content/file-types.ts'
import { download } from '../download/download.ts'
import { publishFileEvent } from '../events.ts'
import { lockObject, updateStored } from '../object-queries.ts'
import { discardObject, removeUnownedObjects } from '../objects.ts'
import { renderPreview } from '../previews/preview.ts'
import { type FoundFile, findFile } from '../queries.ts'
import { recordChange, stateBefore } from '../record-change.ts'
import { type FileRow, present } from '../records.ts'
import { findVisibleFolder } from '../tree/folder-queries.ts'
import { type StoredUpload, storeInspected } from '../upload/upload.ts'
import {
  deleteOldest,
  deleteVersions,
  findVersion,
  listNamed,
  listVersions,
  lockFile,
  replaceContent,
  type StoredContent,
} from './queries.ts'

const FIELD = 'body.file'

export function list(ctx: Context<'vault'>, { id, limit, cursor }: InputOf<typeof fileVersions.list>) {
  const { orgId } = ctx.caller
  const name = JSON.stringify(['file versions', orgId, id])
  return versionPage(
    ctx,
    { list: name, limit, cursor },
    async (position) => listVersions(ctx.sql, orgId, contentIdOf(await findVersioned(ctx, id)), position),
    (row) => row,
  )
}

export async function content(ctx: Context<'objects'>, input: InputOf<typeof fileVersions.content>) {
  return download(ctx, await findStored(ctx, input), input)
}

export async function preview(ctx: Context<'objects'>, input: InputOf<typeof fileVersions.preview>) {
  const { id, version } = input
  return renderPreview(
    ctx,
    await findStored(ctx, input),
    `/api/v1/files/${id}/versions/${version}?inline=true`,
  )
}

/** The file as it was in this version. */
async function findStored(
  ctx: Context,
  { id, version }: { id: string; version: number },
): Promise<FoundFile> {
  const file = await findVersioned(ctx, id)
  const { key, mimeType, size, sha256 } =
    (await findVersion(ctx.sql, ctx.caller.orgId, contentIdOf(file), version)) ?? raise(notFound('Version'))
  return { ...file, mimeType, size, sha256, objectKey: key }
}

type CreateInput = InputOf<typeof fileVersions.create>
type PreparedInput = { id: string; ifMatch?: string; upload: Omit<StoredUpload, 'name'> }

export async function prepareCreate(
  ctx: Context<'objects' | 'quotas'>,
  input: CreateInput,
  onDiscard: (discard: () => Promise<void>) => void,
): Promise<PreparedCall<PreparedInput>> {
  const { id, ifMatch } = input
  const { orgId } = ctx.caller
  const { name } = await findEditable(ctx, id)
  if (!input.form) throw badRequest('Send the content as multipart/form-data with a file')
  const { file: upload } = await input.form.read(async (formFile) => {
    await ctx.quotas.check(ctx.sql, orgId, { storage: 1 })
    const declared = declaredType(formFile.mimeType, name, FIELD)
    const expected = { name, declared, field: FIELD, size: null }
    const stored = await storeInspected(ctx, orgId, formFile.content, expected)
    onDiscard(() => discardObject(ctx, orgId, stored.key))
    return stored
  })
  const { key: _key, ...rest } = upload
  return { input: { id, ifMatch, upload }, fingerprint: { id, upload: rest } }
}

export const create = (ctx: Context<'quotas'>, { id, ifMatch, upload }: PreparedInput) =>
  ctx.transaction(async (inside) => {
    await lockEditable(inside, id, ifMatch)
    if (!(await updateStored(inside.sql, ctx.caller.orgId, upload.key, ctx.now())))
      throw conflict('The upload took too long: send it again')
    const row = await replaceFile(inside, id, upload)
    return reply(present(row), { version: row.version })
  })

export const restore = (
  ctx: Context<'quotas'>,
  { id, version, ifMatch }: InputOf<typeof fileVersions.restore>,
) =>
  ctx.transaction(async (inside) => {
    const { orgId } = ctx.caller
    const file = await lockEditable(inside, id, ifMatch)
    const found = (await findVersion(inside.sql, orgId, id, version)) ?? raise(notFound('Version'))
    const { key, mimeType, size, sha256, current } = found
    if (current || (sha256 === file.sha256 && mimeType === file.mimeType))
      throw conflict('The file already has this version’s content')
    if (!(await lockObject(inside.sql, orgId, key))) throw notFound('Version')
    const row = await replaceFile(inside, id, { key, mimeType, size, sha256 })
    return reply(present(row), { version: row.version })
  })

/** The file must be locked. The oldest version may be deleted. */
export async function replaceFile(
  ctx: Context<'quotas'>,
  id: string,
  content: StoredContent,
): Promise<FileRow> {
  const { orgId, userId, via, credentialId } = ctx.caller
  await ctx.quotas.reserve(ctx.sql, orgId, { storage: content.size })
  const before = await stateBefore(ctx, id)
  const versionId = newId()
  const runId = via === 'run' ? credentialId : undefined
  const change = { ...content, id, versionId, runId, by: userId, now: ctx.now() }
  const row = await replaceContent(ctx.sql, orgId, change)
  await recordChange(ctx, { id, before, formerId: versionId })
  await removeUnownedObjects(ctx, orgId, await deleteOldest(ctx.sql, orgId, id, FILE_VERSIONS_MAX - 1))
  await publishFileEvent(ctx, 'file.updated', row)
  return row
}

/** The object goes with the last record that owns it. */
export const remove = (ctx: Context, { id, version }: InputOf<typeof fileVersions.remove>) =>
  ctx.transaction(async (inside) => {
    const { orgId, userId } = ctx.caller
    const { name, projectId } = await lockEditable(inside, id, undefined)
    const found = (await findVersion(inside.sql, orgId, id, version)) ?? raise(notFound('Version'))
    if (found.current) throw conflict('This is the current version: restore another one first')
    if (found.createdBy !== userId && !(await canPurge(inside.sql, ctx.caller, id, projectId)))
      throw forbidden('Only this version’s author, the file’s creator, admins and owners can delete it', {
        reason: 'not_creator',
      })
    await removeUnownedObjects(inside, orgId, await deleteVersions(inside.sql, orgId, [found.id]))
    // Audit log readers may not see the project, so file names are left out.
    const details = { ...(projectId === null ? { name } : { projectId }), version: String(version) }
    await recordAudit(inside, { action: 'file.version-deleted', by: ctx.caller, target: id, details })
    return { deleted: true as const }
  })

export async function find(ctx: Context, { parentId = null, names }: InputOf<typeof fileVersions.find>) {
  const { sql, caller } = ctx
  const folder = parentId === null ? { id: caller.orgId } : await findFolderHere(ctx, parentId)
  return { items: await listNamed(sql, caller.orgId, folder.id, [...new Set(names)]) }
}

const findFolderHere = async ({ sql, caller }: Context, id: string) =>
  (id === caller.orgId ? null : await findVisibleFolder(sql, caller, id)) ??
  raise(badField('body.parentId', 'is not a folder here'))

async function findVersioned(ctx: Context, id: string): Promise<FoundFile> {
  const file = (await findFile(ctx.sql, ctx.caller, id)) ?? raise(notFound('File'))
  if (file.source === 'folder') throw badRequest('A folder has no versions')
  if (file.status === 'pending' || file.objectKey === null) throw notFound('File content')
  return file
}

const contentIdOf = ({ id, targetId }: FoundFile) => targetId ?? id

async function findEditable(ctx: Context, id: string): Promise<FoundFile> {
  const file = await findVersioned(ctx, id)
  requireEdit(file)
  if (file.source === 'link') throw badRequest('A link has its target’s versions: change the target')
  return file
}

async function lockEditable(ctx: Context, id: string, ifMatch: string | undefined): Promise<FoundFile> {
  if (!(await lockFile(ctx.sql, ctx.caller.orgId, id))) throw notFound('File')
  const file = await findEditable(ctx, id)
  if (ifMatch !== undefined && String(file.version) !== ifMatch) throw stale()
  return file
}
