import { Readable } from 'node:stream'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { files } from '../../../../contract/files/files.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { badRequest, notFound, raise } from '../../../errors.ts'
import { cursorPositionOf, listFolder } from '../listing/list-queries.ts'
import { findFile } from '../queries.ts'
import type { FileRow } from '../records.ts'
import { ALLOWED } from '../upload/allowed-types.ts'
import { createEntryNames } from './archive-names.ts'
import { dispositionOf } from './disposition.ts'
import { INERT_HEADERS } from './file-response.ts'
import { type ZipEntry, zip } from './zip.ts'

const PAGE = 200

/** A folder with all that is in it as a zip file, made while it is sent. What cannot be read breaks the transfer off. */
export async function archiveFolder(ctx: Context, { id, byteRequest }: InputOf<typeof files.archive>) {
  const folder = (await findFile(ctx.sql, ctx.caller, id)) ?? raise(notFound('File'))
  if (folder.source !== 'folder') throw badRequest('Only a folder is downloaded as an archive')
  const content = byteRequest.headOnly ? Readable.from([]) : Readable.from(zip(entriesOf(ctx, folder)))
  const headers = {
    ...INERT_HEADERS,
    'content-type': 'application/zip',
    'content-disposition': dispositionOf(`${folder.name}.zip`, 'application/zip', 'attachment'),
  }
  return reply(null, { bytes: { content, headers } })
}

const entriesOf = (ctx: Context, folder: FileRow) => walk(ctx, folder, createEntryNames().take(folder.name))

/** The tree from the top down, one page of one folder at a time, however large it is. */
async function* walk(ctx: Context, folder: FileRow, path: string): AsyncGenerator<ZipEntry> {
  yield { path: `${path}/`, modifiedAt: new Date(folder.updatedAt), open: null, compress: false }
  const names = createEntryNames()
  for await (const row of listAll(ctx, folder.id)) {
    if (row.source === 'folder') yield* walk(ctx, row, `${path}/${names.take(row.name)}`)
    else if (row.objectKey !== null) yield entryOf(ctx, row, row.objectKey, `${path}/${names.take(row.name)}`)
  }
}

async function* listAll({ sql, caller }: Context, folderId: string): AsyncGenerator<FileRow> {
  const list = { folderId, source: undefined, order: 'name' } as const
  let after: (string | number)[] | null = null
  do {
    const rows: FileRow[] = await listFolder(sql, caller, list, { after, offset: 0, limit: PAGE })
    yield* rows
    after = rows.length === PAGE ? cursorPositionOf(rows.at(-1)!, 'name') : null
  } while (after)
}

const entryOf = ({ objects }: Context, row: FileRow, key: string, path: string): ZipEntry => ({
  path,
  modifiedAt: new Date(row.updatedAt),
  open: async () => (await objects.get(key)) ?? raise(new Error(`The object ${key} is missing`)),
  compress: isLoose(row.mimeType),
})

/** Pictures, sound, film and archives are packed tight already. */
const isLoose = (mimeType: string) =>
  ALLOWED.get(mimeType)?.detectedAs === null || /^text\/|^image\/bmp$|^audio\/wav$|x-tar$/.test(mimeType)
