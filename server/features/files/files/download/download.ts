import { Readable } from 'node:stream'
import type { ByteRequest } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { reply } from '../../../../endpoint/route.ts'
import { badRequest, notFound, raise } from '../../../../errors.ts'
import type { ByteRange, ObjectStore } from '../../../../storage/object-store.ts'
import { ALLOWED } from '../content/allowed-types.ts'
import { detectEncoding } from '../content/text-encoding.ts'
import type { FileRow } from '../records.ts'

const DOWNLOAD_URL_SECONDS = 300

interface DownloadOptions {
  inline: boolean
  byteRequest: ByteRequest
}

export async function download(
  ctx: Context<'objects'>,
  row: FileRow,
  { inline, byteRequest }: DownloadOptions,
) {
  if (row.source === 'folder') throw badRequest('Download a folder as an archive')
  const { objectKey: key, mimeType, size } = row
  if (key === null || row.status === 'pending') throw notFound('File content')
  const contentType = await detectContentType(ctx.objects, { key, mimeType, size })
  const disposition = contentDisposition(row.name, mimeType, inline ? 'inline' : 'attachment')
  if (inline)
    return respondWithObject(
      ctx.objects,
      { key, contentType, disposition, tag: row.sha256 ?? key },
      byteRequest,
    )
  const redirect = await ctx.objects.readUrl(key, {
    expiresAt: new Date(ctx.now().getTime() + DOWNLOAD_URL_SECONDS * 1000),
    mimeType: contentType,
    disposition,
    baseUrl: ctx.origin.baseUrl,
  })
  return reply(null as never, { redirect })
}

/** User content runs no scripts and loads no other resources. */
export const INERT_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-store',
}

interface ObjectResponse {
  key: string
  contentType: string
  disposition: string
  /** The etag without quotes. Equal for equal content. */
  tag: string
  headers?: Record<string, string>
}

export async function respondWithObject(
  objects: ObjectStore,
  response: ObjectResponse,
  byteRequest: ByteRequest,
) {
  const etag = `"${response.tag}"`
  const size = (await objects.size(response.key)) ?? raise(missing())
  const headers = {
    ...INERT_HEADERS,
    ...response.headers,
    etag,
    'accept-ranges': 'bytes',
    'content-type': response.contentType,
    'content-disposition': response.disposition,
  }
  if (matchesEtag(byteRequest.ifNoneMatch, etag)) return bytes(304, null, { ...INERT_HEADERS, etag })
  const range =
    byteRequest.ifRange === undefined || byteRequest.ifRange === etag
      ? rangeOf(byteRequest.range, size)
      : null
  if (range === 'unsatisfiable')
    return bytes(416, null, { ...INERT_HEADERS, etag, 'content-range': `bytes */${size}` })
  const length = range ? range.end - range.start + 1 : size
  const content = byteRequest.headOnly
    ? Readable.from([])
    : ((await objects.get(response.key, range ?? undefined)) ?? raise(missing()))
  return bytes(range ? 206 : 200, content, {
    ...headers,
    'content-length': String(length),
    ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${size}` } : {}),
  })
}

const BYTE_ORDER_MARK_BYTES = 2

/** Adds the text's charset, determined by its byte order mark. */
export async function detectContentType(
  objects: ObjectStore,
  { key, mimeType, size }: { key: string; mimeType: string; size: number },
): Promise<string> {
  const isText = mimeType.startsWith('text/') || ALLOWED.get(mimeType)?.detectedAs === null
  if (!isText) return mimeType
  const start = size < BYTE_ORDER_MARK_BYTES ? null : await objects.get(key, { start: 0, end: 1 })
  const chunks = start ? await start.toArray() : []
  return `${mimeType}; charset=${detectEncoding(Buffer.concat(chunks)).slice(0, 6).replace(/-$/, '')}`
}

const bytes = (status: number, content: Readable | null, headers: Record<string, string>) =>
  reply(null as never, { status, bytes: { content, headers } })

const missing = () => notFound('File content')

const matchesEtag = (header: string | undefined, etag: string) =>
  header?.split(',').some((candidate) => ['*', etag, `W/${etag}`].includes(candidate.trim())) ?? false

/** Null for the whole object, also for several or invalid ranges, which RFC 9110 allows servers to ignore. */
function rangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return null
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  return start > end ? 'unsatisfiable' : { start, end }
}

/** Browsers display these without running scripts. */
const INLINE_TYPES = /^(image\/(png|jpeg|gif|webp|avif)|application\/pdf|text\/plain|(audio|video)\/.+)$/

/** Per RFC 6266 and RFC 8187: an ASCII name for old clients plus the UTF-8 name. */
export function contentDisposition(
  name: string,
  mimeType: string,
  requested: 'inline' | 'attachment',
): string {
  const kind = requested === 'inline' && INLINE_TYPES.test(mimeType) ? 'inline' : 'attachment'
  return `${kind}; filename="${plainOf(name)}"; filename*=UTF-8''${encoded(name)}`
}

/** Also replaces quotes, backslashes and percent signs, which clients interpret differently. */
const plainOf = (name: string) => name.replaceAll(/[^\x20-\x7e]|["\\%/]/gu, '_')

/** Also encodes `'()*`, which RFC 8187 reserves and encodeURIComponent doesn't. */
const encoded = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
