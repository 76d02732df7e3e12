import multipart, { type Multipart } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FormPart } from '../endpoint/call.ts'
import { ApiError, badField, badRequest } from '../errors.ts'

const FIELDS_MAX = 20
const FIELD_BYTES_MAX = 4096
/** RFC 2046. The parser throws an internal error for much longer ones. */
const BOUNDARY_LENGTH_MAX = 70

export async function acceptForms(http: FastifyInstance): Promise<void> {
  const limits = {
    // The storing feature limits size with a more specific error.
    fileSize: Number.POSITIVE_INFINITY,
    fieldSize: FIELD_BYTES_MAX,
    fields: FIELDS_MAX,
    // One more than accepted, so a second file gets its own error.
    files: 2,
  }
  await http.register(multipart, { limits })
}

/** Consume each file before the next part. */
export async function* readFormParts(request: FastifyRequest): AsyncGenerator<FormPart> {
  checkBoundary(request.headers['content-type'] ?? '')
  try {
    for await (const part of request.parts()) {
      if (part.fieldname === undefined) throw badRequest('A form part has no name')
      yield part.type === 'file' ? filePartOf(part) : fieldPartOf(part)
    }
  } catch (error) {
    throw asApiError(error)
  }
}

function checkBoundary(contentType: string): void {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^\s;]*))/i.exec(contentType) ?? []
  const length = (quoted ?? plain ?? '').length
  if (length === 0 || length > BOUNDARY_LENGTH_MAX) {
    throw badRequest(`A form’s content type requires a boundary with 1 to ${BOUNDARY_LENGTH_MAX} characters`)
  }
}

function filePartOf({ fieldname, filename, mimetype, file }: Extract<Multipart, { type: 'file' }>): FormPart {
  const content = contentOf(file)
  return {
    kind: 'file',
    name: fieldname,
    file: { name: decodeFileName(filename ?? ''), mimeType: mimetype, content },
  }
}

async function* contentOf(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* file
  } catch (error) {
    throw asApiError(error)
  }
}

/** The only characters browsers escape in file names (HTML standard). */
const decodeFileName = (name: string) =>
  name.replaceAll('%22', '"').replaceAll(/%0D/gi, '\r').replaceAll(/%0A/gi, '\n')

function fieldPartOf(part: Extract<Multipart, { type: 'field' }>): FormPart {
  const { fieldname: name, value, valueTruncated } = part
  if (valueTruncated) throw badField(`body.${name}`, `must be at most ${FIELD_BYTES_MAX} bytes`)
  return { kind: 'field', name, value }
}

function asApiError(error: unknown): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  if (/^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(code)) return badRequest('The form has too many parts')
  const isFormError =
    /^FST_|^ERR_STREAM_PREMATURE/.test(code) ||
    /multipart|boundary|unexpected end|terminated early/i.test(error.message)
  return isFormError ? badRequest('The form is not complete multipart/form-data') : error
}
