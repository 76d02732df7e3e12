import type { InputOf, OutputOf } from '../../../../../contract/endpoint.ts'
import type { fileTables } from '../../../../../contract/files/file-tables.ts'
import { PREVIEW_BYTES_MAX } from '../../../../../contract/files/previews.ts'
import { createSingleFlight } from '../../../../concurrency/single-flight.ts'
import { leaveTurn } from '../../../../concurrency/turns.ts'
import type { Context } from '../../../../context.ts'
import { ApiError, badRequest, notFound, raise } from '../../../../errors.ts'
import { findFile } from '../queries.ts'
import type { FileRow } from '../records.ts'
import { finalize } from '../upload/presigned-upload.ts'
import type { Preview, PreviewFailure } from './job.ts'
import { isTableFile, readTableFile } from './read-table.ts'

/** Of all read tables together. */
const BYTES_MAX = 67_108_864
/** Programs read one part after the other. */
const KEPT_MS = 60_000

export async function readTablePart(
  ctx: Context<'objects' | 'suspensions'>,
  { id, offset, limit }: InputOf<typeof fileTables.read>,
): Promise<OutputOf<typeof fileTables.read>> {
  const found = (await findFile(ctx.sql, ctx.caller, id)) ?? raise(notFound('File'))
  const file = await finalize(ctx, found)
  const { name, mimeType } = file
  const sheets = await read(ctx, file)
  const table = { id, name, mimeType, sheets: sheets.map(summarize) }
  const parts: { sheet: string; rows: string[][] }[] = []
  let bytes = 0
  let at = 0
  for (const sheet of sheets) {
    const rows: string[][] = []
    for (let row = Math.max(0, offset - at); row < sheet.ends.length; row++) {
      const text = rowText(sheet, row)
      bytes += text.length
      if (bytes > limit && (rows.length > 0 || parts.length > 0)) {
        if (rows.length > 0) parts.push({ sheet: sheet.name, rows })
        return { ...table, parts, nextOffset: at + row }
      }
      rows.push(JSON.parse(text.toString()))
    }
    if (rows.length > 0) parts.push({ sheet: sheet.name, rows })
    at += sheet.ends.length
  }
  return { ...table, parts, nextOffset: null }
}

/** Rows in JSON, because texts in lists take several times the memory. */
interface PackedSheet {
  name: string
  rows: Buffer
  /** Where each row ends. */
  ends: Uint32Array
}

const summarize = ({ name, ends }: PackedSheet) => ({ name, rows: ends.length })

const rowText = ({ rows, ends }: PackedSheet, index: number): Buffer =>
  rows.subarray(index === 0 ? 0 : ends[index - 1]!, ends[index]!)

const kept = createTableCache()
const readOnce = createSingleFlight<PackedSheet[] | { failed: keyof typeof REFUSALS }>({
  isFailure: (outcome) => 'failed' in outcome,
})

async function read(ctx: Context<'objects'>, file: FileRow): Promise<PackedSheet[]> {
  const { name, mimeType, size, objectKey, orgId } = file
  if (file.source === 'folder' || !isTableFile({ name, mimeType }))
    throw badRequest('The file must be a CSV file, a TSV file or a workbook')
  if (objectKey === null || file.status === 'pending') throw notFound('File')
  if (size > PREVIEW_BYTES_MAX) throw badRequest('Only files up to 25 MB can be read as tables')
  // Objects are immutable, so a key identifies its content.
  const key = JSON.stringify([orgId, file.sha256 ?? objectKey, mimeType, name.split('.').at(-1)])
  const found = kept.get(key)
  if (found) return found
  leaveTurn()
  const open = async () => (await ctx.objects.get(objectKey)) ?? raise(notFound('File'))
  const outcome = await readOnce(key, async () => {
    const result = await readTableFile(orgId, { name, mimeType }, open)
    if ('failed' in result) return result
    if (result.truncated) return { failed: 'too_large' }
    const table = result.sheets.map(pack)
    return kept.set(key, table) ? table : { failed: 'too_complex' }
  })
  if (!('failed' in outcome)) return outcome
  throw new ApiError('BAD_REQUEST', REFUSALS[outcome.failed], { details: { reason: outcome.failed } })
}

function pack({ name, rows }: Preview<'table'>['sheets'][number]): PackedSheet {
  const texts = rows.map((row) => JSON.stringify(row))
  const ends = new Uint32Array(texts.length)
  let end = 0
  for (const [index, text] of texts.entries()) {
    end += Buffer.byteLength(text)
    ends[index] = end
  }
  return { name, rows: Buffer.from(texts.join('')), ends }
}

const REFUSALS: Record<PreviewFailure | 'too_large', string> = {
  too_large:
    'The file must have at most 100,000 rows, 100 columns, 20 sheets, and 10,000 characters in a cell: split it',
  broken: 'The file cannot be read: it is damaged, or its content does not match its type',
  encrypted: 'The file is password-protected',
  too_complex: 'The file is too complex to read: split it',
  timed_out: 'Reading the file takes too long: split it',
}

/** Forgets tables that nobody reads any more, and the oldest for a new one. */
export function createTableCache(bytesMax = BYTES_MAX, keptMs = KEPT_MS) {
  const entries = new Map<string, { table: PackedSheet[]; bytes: number; timer: NodeJS.Timeout }>()
  let bytes = 0

  function remove(key: string): PackedSheet[] | undefined {
    const entry = entries.get(key)
    if (!entry) return undefined
    clearTimeout(entry.timer)
    entries.delete(key)
    bytes -= entry.bytes
    return entry.table
  }

  /** False if it is larger than all tables may be. */
  function set(key: string, table: PackedSheet[]): boolean {
    const size = table.reduce((sum, { rows, ends }) => sum + rows.length + ends.byteLength, 0)
    if (size > bytesMax) return false
    remove(key)
    for (const oldest of entries.keys()) {
      if (bytes + size <= bytesMax) break
      remove(oldest)
    }
    entries.set(key, { table, bytes: size, timer: setTimeout(() => remove(key), keptMs).unref() })
    bytes += size
    return true
  }

  return {
    get(key: string): PackedSheet[] | undefined {
      const table = remove(key)
      if (table) set(key, table)
      return table
    },
    set,
    bytes: () => bytes,
  }
}
