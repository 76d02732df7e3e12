import type { InputOf } from '../../../../contract/endpoint.ts'
import type { files } from '../../../../contract/files/files.ts'
import type { Context } from '../../../context.ts'
import type { PreparedCall } from '../../../endpoint/route.ts'
import { badField, notFound, raise } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { publishFileEvent } from './events.ts'
import { discardObject } from './objects.ts'
import { findFile, insertFile } from './queries.ts'
import { recordChange } from './record-change.ts'
import { type FileRow, present } from './records.ts'
import { type DestinationInput, resolveDestination } from './tree/destination.ts'
import { createFolder } from './tree/folders.ts'
import {
  createPresigned,
  isPresigned,
  type JsonInput,
  type PresignedUpload,
  requireField,
  signUpload,
} from './upload/presigned-upload.ts'
import { insertUpload, type StoredUpload, storeUpload } from './upload/upload.ts'

type Input = InputOf<typeof files.create>
type FormInput = Extract<Input, { form: object }>
type FormFields = Awaited<ReturnType<FormInput['form']['read']>>['fields']
type PreparedInput =
  | (JsonInput & { upload?: undefined; presigned?: PresignedUpload })
  | (FormFields & { upload: StoredUpload })

/** Runs before the transaction that inserts the record. */
export async function prepareCreate(
  ctx: Context<'objects' | 'quotas'>,
  input: Input,
  onDiscard: (discard: () => Promise<void>) => void,
): Promise<PreparedCall<PreparedInput>> {
  if (!input.form)
    return { input: isPresigned(input) ? { ...input, presigned: await signUpload(ctx, input) } : input }
  const { fields, file: upload } = await input.form.read(async (file) => {
    await ctx.quotas.check(ctx.sql, ctx.caller.orgId, { files: 1, storage: 1 })
    const stored = await storeUpload(ctx, file)
    onDiscard(() => discardObject(ctx, ctx.caller.orgId, stored.key))
    return stored
  })
  const { key: _key, ...content } = upload
  return { input: { ...fields, upload }, fingerprint: { ...fields, upload: content } }
}

export async function create(ctx: Context<'quotas'>, input: PreparedInput) {
  const runId = ctx.caller.via === 'run' ? ctx.caller.credentialId : undefined
  if (input.upload) return present(await insertUpload(ctx, input.upload, { ...input, runId }))
  if (input.source !== 'link' && input.targetFileId !== undefined)
    throw badField('body.targetFileId', 'is for links only')
  if (input.source !== 'folder' && input.reuse) throw badField('body.reuse', 'is for folders only')
  if (input.presigned) return createPresigned(ctx, input, input.presigned)
  if (input.mimeType !== undefined || input.size !== undefined)
    throw badField(input.size === undefined ? 'body.mimeType' : 'body.size', 'is for uploads only')
  const { parentId, projectId, name, tags, reuse } = input
  const destination = { parentId, projectId, tags }
  if (input.source === 'folder')
    return {
      file: present(await createFolder(ctx, { ...destination, reuse, name: requireField('name', name) })),
    }
  const targetFileId = requireField('targetFileId', input.targetFileId)
  return { file: present(await createLink(ctx, { ...destination, name, targetFileId })) }
}

interface NewLink extends DestinationInput {
  targetFileId: string
  name?: string | undefined
  tags?: string[] | undefined
}

/** A link to a link points to the final target, so links never chain. */
async function createLink(
  ctx: Context<'quotas'>,
  { targetFileId, name, tags, ...where }: NewLink,
): Promise<FileRow> {
  const { orgId, userId } = ctx.caller
  return ctx.transaction(async (inside) => {
    const target = await findTarget(inside, targetFileId)
    const parent = await resolveDestination(inside, where)
    await ctx.quotas.reserve(inside.sql, orgId, { files: 1 })
    const link = await insertFile(inside.sql, orgId, {
      id: newId(),
      parentId: parent.id,
      source: 'link',
      name: name ?? target.name,
      mimeType: target.mimeType,
      size: target.size,
      targetId: target.targetId ?? target.id,
      tags,
      createdBy: userId,
      now: ctx.now(),
    })
    await recordChange(inside, { id: link.id, before: null })
    await publishFileEvent(inside, 'file.created', link)
    return link
  })
}

async function findTarget(ctx: Context, id: string): Promise<FileRow> {
  const target = (await findFile(ctx.sql, ctx.caller, id)) ?? raise(notFound('Target file'))
  if (target.source === 'folder') throw badField('body.targetFileId', 'is a folder, which cannot be linked')
  if (target.objectKey === null || target.status === 'pending') throw notFound('Target file')
  return target
}
