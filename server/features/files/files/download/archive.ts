import { Readable } from 'node:stream'
import type { ByteRequest, InputOf } from '../../../../../contract/endpoint.ts'
import type { files } from '../../../../../contract/files/files.ts'
import { createSemaphore, type Release } from '../../../../concurrency/semaphore.ts'
import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { reply } from '../../../../endpoint/route.ts'
import { Busy, badRequest, notFound, raise } from '../../../../errors.ts'
import type { ObjectStore } from '../../../../storage/object-store.ts'
import { createEntryNames, type ZipEntry, zip } from '../../../../storage/zip.ts'
import type { Viewer } from '../../../projects/access/access.ts'
import { ALLOWED } from '../content/allowed-types.ts'
import { cursorPosition, listFolder } from '../listing/list-queries.ts'
import { findFile } from '../queries.ts'
import type { FileRow } from '../records.ts'
import { contentDisposition, INERT_HEADERS } from './download.ts'

const PAGE = 200

/** An unreadable object aborts the transfer. */
export async function archiveFolder(
  ctx: Context<'objects'>,
  { id, byteRequest }: InputOf<typeof files.archive>,
) {
  const folder = (await findFile(ctx.sql, ctx.caller, id)) ?? raise(notFound('File'))
  if (folder.source !== 'folder') throw badRequest('Only folders can be downloaded as an archive')
  return buildArchiveResponse({ ...ctx, viewer: ctx.caller, isIncluded: () => true }, folder, byteRequest)
}

interface ArchiveContent {
  sql: Sql
  objects: ObjectStore
  viewer: Viewer
  isIncluded: (row: FileRow) => boolean
}

export function buildArchiveResponse(source: ArchiveContent, folder: FileRow, byteRequest: ByteRequest) {
  const content = byteRequest.headOnly
    ? Readable.from([])
    : scheduleArchive(source.viewer.orgId, zip(entriesOf(source, folder)))
  const headers = {
    ...INERT_HEADERS,
    'content-type': 'application/zip',
    'content-disposition': contentDisposition(`${folder.name}.zip`, 'application/zip', 'attachment'),
  }
  return reply(null, { bytes: { content, headers } })
}

const entriesOf = (source: ArchiveContent, folder: FileRow) =>
  entriesBelow(source, folder, createEntryNames().take(folder.name))

/** Depth first, one folder page at a time, so memory doesn't grow with the tree. */
async function* entriesBelow(
  source: ArchiveContent,
  folder: FileRow,
  path: string,
): AsyncGenerator<ZipEntry> {
  yield { path: `${path}/`, modifiedAt: new Date(folder.updatedAt), open: null, compress: false }
  const names = createEntryNames()
  for await (const row of listAll(source, folder.id)) {
    if (!source.isIncluded(row)) continue
    if (row.source === 'folder') yield* entriesBelow(source, row, `${path}/${names.take(row.name)}`)
    else if (row.objectKey !== null)
      yield entryOf(source, row, row.objectKey, `${path}/${names.take(row.name)}`)
  }
}

async function* listAll({ sql, viewer }: ArchiveContent, folderId: string): AsyncGenerator<FileRow> {
  const list = { folderId, source: undefined, order: 'name' } as const
  let after: (string | number)[] | null = null
  do {
    const rows: FileRow[] = await listFolder(sql, viewer, list, { after, offset: 0, limit: PAGE })
    yield* rows
    after = rows.length === PAGE ? cursorPosition(rows.at(-1)!, 'name') : null
  } while (after)
}

const entryOf = ({ objects }: ArchiveContent, row: FileRow, key: string, path: string): ZipEntry => ({
  path,
  modifiedAt: new Date(row.updatedAt),
  open: async () => (await objects.get(key)) ?? raise(new Error(`The object ${key} is missing`)),
  compress: isCompressible(row.mimeType),
})

/** Most images, audio, video and archives are already compressed. */
const isCompressible = (mimeType: string) =>
  ALLOWED.get(mimeType)?.detectedAs === null || /^text\/|^image\/bmp$|^audio\/wav$|x-tar$/.test(mimeType)

/** An open archive costs a connection, a file and a buffer, even if unread. */
const OPEN = { permits: 64, permitsPerKey: 8, waitMs: 0 }
/** Reading and compressing use the thread pool, which has four threads. */
const TURNS = { permits: 3, permitsPerKey: 2, waitMs: 60_000 }
/** Disconnects idle clients, so they don't occupy an open archive forever. */
const IDLE_MS = 60_000

const open = createSemaphore({ name: 'archives', ...OPEN })
const turns = createSemaphore({ name: 'archives', ...TURNS })

/**
 * Organizations take turns producing pieces. Slow clients hold no turn: the next piece is produced only after they've
 * taken the last.
 */
export function scheduleArchive(
  orgId: string,
  pieces: AsyncGenerator<Uint8Array>,
  { idleMs = IDLE_MS } = {},
): Readable {
  const release = open.tryAcquire(orgId) ?? refuse()
  const watch = () => setTimeout(() => content.destroy(), idleMs).unref()
  let idle = watch()
  const closed = new AbortController()

  async function* produce(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        clearTimeout(idle)
        const piece = await turns.run(orgId, () => pieces.next(), closed.signal)
        if (piece.done) return
        idle = watch()
        yield piece.value
      }
    } finally {
      await pieces.return(undefined)
    }
  }

  const content = Readable.from(produce())
  content.once('close', () => {
    clearTimeout(idle)
    closed.abort()
    release()
  })
  return content
}

function refuse(): Release {
  if (open.size().running >= OPEN.permits)
    throw new Busy('UNAVAILABLE', 'Too many archives are being downloaded: try again in a moment')
  throw new Busy(
    'RATE_LIMITED',
    `Your organization is already downloading ${OPEN.permitsPerKey} archives, the maximum: try again when one has finished`,
  )
}
