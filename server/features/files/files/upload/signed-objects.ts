import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { objects } from '../../../../../contract/files/files.ts'
import type { PublicContext } from '../../../../context.ts'
import { conflict, notFound, raise, unauthorized } from '../../../../errors.ts'
import { partsOfKey } from '../../../../storage/object-store.ts'
import { type UrlTokenError, verifyUrlToken } from '../../../../storage/signed-urls.ts'
import { wrongSize } from '../content/inspect.ts'
import { respondWithObject } from '../download/download.ts'
import { findUpload } from '../queries.ts'
import { present } from '../records.ts'
import { parseFileId, requireUploader, storePresigned } from './presigned-upload.ts'

/** The signed URL is the only credential. */
export async function readObject(
  ctx: PublicContext<'objects' | 'suspensions' | 'vault'>,
  { token, byteRequest }: InputOf<typeof objects.read>,
) {
  const grant = verifyUrlToken(ctx.vault, 'GET', token, ctx.now())
  if (typeof grant === 'string') throw refusal(grant)
  const { key, mimeType, disposition } = grant
  ctx.suspensions.requireActive(partsOfKey(key).org)
  return respondWithObject(
    ctx.objects,
    { key, contentType: mimeType, disposition, tag: partsOfKey(key).name },
    byteRequest,
  )
}

export async function writeObject(
  ctx: PublicContext<'objects' | 'suspensions' | 'vault'>,
  { token, content, contentLength }: InputOf<typeof objects.write>,
) {
  const grant = verifyUrlToken(ctx.vault, 'PUT', token, ctx.now())
  if (typeof grant === 'string') throw refusal(grant)
  const { org } = partsOfKey(grant.key)
  const row = (await findUpload(ctx.sql, org, parseFileId(grant.key))) ?? raise(notFound('File'))
  if (row.status === 'ready') throw conflict('This file’s content was already uploaded')
  await requireUploader(ctx, row)
  if (contentLength !== null && contentLength !== row.size) throw wrongSize('body', row.size)
  return present(await storePresigned(ctx, row, content))
}

const MESSAGES: Record<UrlTokenError, string> = {
  malformed: 'The signed URL is malformed',
  bad_signature: 'The URL’s signature is invalid',
  wrong_method: 'The signed URL is for another method',
  expired: 'The signed URL has expired: request a new one',
}

const refusal = (reason: UrlTokenError) => unauthorized(MESSAGES[reason], { reason })
