import multipart, { type Multipart } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ReceivedFile } from '../../contract/endpoint.ts'
import type { Context } from '../context.ts'
import { ApiError, badField, badRequest } from '../errors.ts'

/** What becomes of the file of a form: handed in by app.ts, so that this folder knows no feature. */
export interface Receive {
  /** Checks and stores the bytes as they arrive. */
  take: (ctx: Context, file: IncomingFile) => Promise<ReceivedFile>
  /** Removes what was taken, unless a record has come to own it meanwhile. */
  discard: (ctx: Context, file: ReceivedFile) => Promise<void>
}

export interface IncomingFile {
  name: string
  mimeType: string
  content: AsyncIterable<Uint8Array>
}

const FIELDS_MAX = 20
const FIELD_BYTES_MAX = 4096

export async function acceptForms(http: FastifyInstance): Promise<void> {
  const limits = {
    // How large a file may be is decided where it is taken, which can say so in better words.
    fileSize: Number.POSITIVE_INFINITY,
    fieldSize: FIELD_BYTES_MAX,
    fields: FIELDS_MAX,
    // One more than is taken, so that a second one is told from none.
    files: 2,
  }
  await http.register(multipart, { limits })
}

/** Reads a form to its end. Fields may come before or after the file, which is stored while it arrives. */
export async function readForm(request: FastifyRequest, ctx: Context, receive: Receive) {
  const fields: Record<string, unknown> = {}
  let upload: ReceivedFile | undefined
  try {
    for await (const part of request.parts()) {
      if (part.fieldname === undefined) throw badRequest('A part of the form has no name')
      if (part.fieldname in fields || (upload && part.fieldname === 'file')) {
        throw badField(`body.${part.fieldname}`, 'must not be sent twice')
      }
      if (part.type === 'file') upload = await takeFile(ctx, part, receive)
      else fields[part.fieldname] = textOf(part)
    }
    if (!upload) throw badField('body.file', 'is required')
    return { fields, upload }
  } catch (error) {
    if (upload) await receive.discard(ctx, upload)
    throw asApiError(error)
  }
}

function takeFile(ctx: Context, part: Extract<Multipart, { type: 'file' }>, receive: Receive) {
  const { fieldname, filename, mimetype, file } = part
  if (fieldname !== 'file') throw badField(`body.${fieldname}`, 'is not a known field')
  // A browser sends an empty name where nothing was chosen.
  if (!filename) throw badField('body.file', 'must be a file with a name')
  return receive.take(ctx, { name: unescaped(filename), mimeType: mimetype, content: file })
}

/** Browsers write these three so, and nothing else, as the HTML standard has it. */
const unescaped = (name: string) =>
  name.replaceAll('%22', '"').replaceAll(/%0D/gi, '\r').replaceAll(/%0A/gi, '\n')

function textOf({ fieldname, value, valueTruncated }: Extract<Multipart, { type: 'field' }>): unknown {
  if (fieldname === 'file') throw badField('body.file', 'must be a file with a name')
  if (valueTruncated) throw badField(`body.${fieldname}`, `must be at most ${FIELD_BYTES_MAX} bytes`)
  return value
}

/** The form reader's own complaints, in our words. */
function asApiError(error: unknown): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  if (/^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(code)) return badRequest('The form has too many parts')
  const isForm = /^FST_|^ERR_STREAM_PREMATURE/.test(code)
  return isForm || /multipart|boundary|unexpected end|terminated early/i.test(error.message)
    ? badRequest('The form is not complete multipart/form-data')
    : error
}
