import type { InputOf } from '../../../../contract/endpoint.ts'
import type { objects } from '../../../../contract/files/files.ts'
import type { PublicContext } from '../../../context.ts'
import { conflict, notFound, raise, unauthorized } from '../../../errors.ts'
import { partsOfKey } from '../../../storage/keys.ts'
import { type UrlTokenError, verifyUrlToken } from '../../../storage/signed-urls.ts'
import { respondWithObject } from '../download/file-response.ts'
import { findUpload } from '../queries.ts'
import { present } from '../records.ts'
import { wrongSize } from './inspect.ts'
import { fileIdOf, storePresigned } from './presigned-upload.ts'

/** Reads an object by the ticket in its address, which is all the proof it takes. */
export async function readObject(ctx: PublicContext, { ticket, byteRequest }: InputOf<typeof objects.read>) {
  const opened = verifyUrlToken(ctx.vault, 'GET', ticket, ctx.now())
  if (typeof opened === 'string') throw refused(opened)
  const { key, mimeType, disposition } = opened
  return respondWithObject(
    ctx.objects,
    { key, contentType: mimeType, disposition, tag: partsOfKey(key).name },
    byteRequest,
  )
}

/** Takes the bytes of an announced upload, once. */
export async function writeObject(
  ctx: PublicContext,
  { ticket, content, contentLength }: InputOf<typeof objects.write>,
) {
  const opened = verifyUrlToken(ctx.vault, 'PUT', ticket, ctx.now())
  if (typeof opened === 'string') throw refused(opened)
  const { org } = partsOfKey(opened.key)
  const row = (await findUpload(ctx.sql, org, fileIdOf(opened.key))) ?? raise(notFound('File'))
  if (row.status === 'ready') throw conflict('The bytes of this file have been sent already')
  if (contentLength !== null && contentLength !== row.size) throw wrongSize('body', row.size)
  return present(await storePresigned(ctx, row, content))
}

const WORDS: Record<UrlTokenError, string> = {
  malformed: 'This address is not one of ours',
  bad_signature: 'This address was changed on its way',
  wrong_method: 'This address is for something else',
  expired: 'This address has expired: ask for a new one',
}

const refused = (reason: UrlTokenError) => unauthorized(WORDS[reason], { reason })
