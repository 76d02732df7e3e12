import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { tables } from '../../../../../contract/projects/tables.ts'
import { leaveTurn } from '../../../../concurrency/turns.ts'
import type { Context } from '../../../../context.ts'
import type { PreparedCall } from '../../../../endpoint/route.ts'
import { ApiError, badField, notFound, raise } from '../../../../errors.ts'
import { findFile, isTableFile, projectFiles, readTableFile } from '../../../files/files/files.ts'
import { findTable, requireFilesScope } from '../access.ts'
import type { TableRow } from '../records.ts'

type Input = InputOf<typeof tables.import>
type FormInput = Extract<Input, { form: object }>
type Fields = Omit<Extract<Input, { form?: undefined }>, 'fileId' | 'text' | 'form'>

export interface Source {
  header: string[]
  rows: string[][]
}

export type PreparedImport = Fields & { source: Source }

const FILE_BYTES_MAX = 26_214_400

/** Parses in a process of its own, before the transaction. */
export async function prepareImport(
  ctx: Context<'objects'>,
  input: Input,
): Promise<PreparedCall<PreparedImport>> {
  const { id } = input
  const table = await findTable(ctx, id, 'edit')
  if (input.form) {
    leaveTurn()
    const { fields, file } = await readForm(ctx, input.form)
    return { input: { id, ...fields, source: chooseSheet(file, fields.sheet, 'body.file') } }
  }
  const { fileId, text, form: _, ...fields } = input
  const field = fileId === undefined ? 'body.text' : 'body.fileId'
  const sheets =
    fileId === undefined
      ? await parse(ctx, { name: 'pasted.csv', mimeType: 'text/csv' }, chunksOf(text!), field)
      : await readStored(ctx, table, fileId)
  return { input: { ...fields, source: chooseSheet(sheets, fields.sheet, field) } }
}

const readForm = (ctx: Context, form: FormInput['form']) =>
  form.read(({ name, mimeType, content }) => {
    if (!isTableFile({ name, mimeType })) throw notATable('body.file')
    return parse(ctx, { name, mimeType }, limited(content), 'body.file')
  })

async function readStored(ctx: Context<'objects'>, { orgId, projectId }: TableRow, fileId: string) {
  const { sql, caller, objects } = ctx
  requireFilesScope(caller, 'Importing a file')
  const [inProject] = await projectFiles.filter(sql, orgId, projectId, [fileId])
  const file = inProject ? await findFile(sql, caller, fileId) : null
  if (!file?.objectKey) throw badField('body.fileId', 'must be a file in the project')
  if (!isTableFile(file)) throw notATable('body.fileId')
  if (file.size > FILE_BYTES_MAX) throw tooLarge('body.fileId')
  const { objectKey } = file
  leaveTurn()
  return parse(
    ctx,
    file,
    async () => (await objects.get(objectKey)) ?? raise(notFound('File')),
    'body.fileId',
  )
}

const notATable = (field: string) => badField(field, 'must be a CSV file, a TSV file or a workbook')

function tooLarge(field: string): ApiError {
  const message = `must be at most ${FILE_BYTES_MAX.toLocaleString('en-US')} bytes`
  return new ApiError('PAYLOAD_TOO_LARGE', `${field} ${message}`, { details: [{ path: field, message }] })
}

const limited = (content: AsyncIterable<Uint8Array>) => async () =>
  (async function* () {
    let size = 0
    for await (const chunk of content) {
      size += chunk.length
      if (size > FILE_BYTES_MAX) throw tooLarge('body.file')
      yield chunk
    }
  })()

const chunksOf = (text: string) => async () =>
  (async function* () {
    yield Buffer.from(text)
  })()

type Sheets = Extract<Awaited<ReturnType<typeof readTableFile>>, { sheets: unknown }>['sheets']

const REFUSALS = {
  broken: 'can’t be read: it is damaged, or its content doesn’t match its type',
  encrypted: 'must not be password-protected',
  too_complex: 'is too complex to import: split it',
  timed_out: 'takes too long to read: split it',
}

async function parse(
  { caller }: Pick<Context, 'caller'>,
  { name, mimeType }: { name: string; mimeType: string },
  open: () => Promise<AsyncIterable<Uint8Array>>,
  field: string,
): Promise<Sheets> {
  const outcome = await readTableFile(caller.orgId, { name, mimeType }, open)
  if ('failed' in outcome) throw badField(field, REFUSALS[outcome.failed])
  if (outcome.truncated)
    throw badField(
      field,
      'must have at most 100,000 rows, 100 columns, 20 sheets, and 10,000 characters in a cell: split it',
    )
  return outcome.sheets
}

function chooseSheet(sheets: Sheets, name: string | undefined, field: string): Source {
  const sheet = name === undefined ? sheets[0] : sheets.find((each) => each.name === name)
  if (!sheet) {
    const names = sheets.map((each) => each.name).join(', ')
    throw badField(
      name === undefined ? field : 'body.sheet',
      name === undefined ? 'is empty' : `must be one of ${names}`,
    )
  }
  const [header = [], ...rows] = sheet.rows
  if (header.every((cell) => cell.trim() === ''))
    throw badField(field, 'must begin with a row of column names')
  return { header, rows: rows.filter((row) => row.some((cell) => cell !== '')) }
}
