import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { files } from '../../../../../contract/files/files.ts'
import {
  FilePreview,
  PREVIEW_BYTES_MAX,
  PREVIEW_TEXT_BYTES_MAX,
} from '../../../../../contract/files/previews.ts'
import { createSingleFlight } from '../../../../concurrency/single-flight.ts'
import { leaveTurn } from '../../../../concurrency/turns.ts'
import type { Context, PublicContext } from '../../../../context.ts'
import { reply } from '../../../../endpoint/route.ts'
import { JsonBytes } from '../../../../endpoint/serialize.ts'
import { ApiError, badRequest, notFound, raise } from '../../../../errors.ts'
import { findFile } from '../queries.ts'
import type { FileRow } from '../records.ts'
import { finalize } from '../upload/presigned-upload.ts'
import type { PreviewFailure, RenderJob } from './job.ts'
import { previewKind } from './kinds.ts'
import { createRendererPool } from './renderer-pool.ts'

/** Two UTF-16 bytes may become one UTF-8 byte, plus the byte order mark. */
const TEXT_BYTES_READ = PREVIEW_TEXT_BYTES_MAX * 2 + 4

const BYTES_MAX = 16_777_216
/** A quarter, so one large preview can't evict all others. */
const ENTRY_BYTES_MAX = BYTES_MAX / 4

const renderers = createRendererPool()
const rendered = createPreviewCache()
const renderOnce = createSingleFlight<JsonBytes | { failed: PreviewFailure }>({
  isFailure: (outcome) => 'failed' in outcome,
})

export async function previewFile(
  ctx: Context<'objects' | 'suspensions'>,
  { id }: InputOf<typeof files.preview>,
) {
  const found = (await findFile(ctx.sql, ctx.caller, id)) ?? raise(notFound('File'))
  const file = await finalize(ctx, found)
  const preview = await renderPreview(ctx, file, `/api/v1/files/${file.id}?download=true&inline=true`)
  return reply(preview, { version: file.version })
}

/** The caller must be allowed to read the file. `imageUrl` is this caller's URL. */
export async function renderPreview(
  ctx: Pick<PublicContext<'objects'>, 'objects'>,
  file: FileRow,
  imageUrl: string,
): Promise<FilePreview | JsonBytes> {
  if (file.source === 'folder') throw badRequest('A folder has no preview')
  if (file.objectKey === null || file.status === 'pending') throw notFound('File')
  if (file.size > PREVIEW_BYTES_MAX) throw badRequest('Only files up to 25 MB can be previewed')
  return render(ctx, file, { ...previewKind(file.mimeType, file.name), mimeType: file.mimeType, imageUrl })
}

interface PreviewOptions extends ReturnType<typeof previewKind> {
  mimeType: string
  imageUrl: string
}

async function render(
  ctx: Pick<PublicContext<'objects'>, 'objects'>,
  file: FileRow,
  { kind, language, mimeType, imageUrl }: PreviewOptions,
): Promise<FilePreview | JsonBytes> {
  if (kind === 'unsupported') return { kind, mimeType, truncated: false }
  if (kind === 'image') return { kind, mimeType, truncated: false, url: imageUrl }
  const isPartial = (kind === 'text' || kind === 'markdown') && file.size > TEXT_BYTES_READ
  const job: RenderJob = { format: kind, mimeType, language, isPartial, textBytesMax: PREVIEW_TEXT_BYTES_MAX }
  const range = isPartial ? { start: 0, end: TEXT_BYTES_READ - 1 } : undefined
  const open = async () => (await ctx.objects.get(file.objectKey!, range)) ?? raise(notFound('File'))
  // Objects are immutable, so a key identifies its content.
  const key = JSON.stringify([file.orgId, file.sha256 ?? file.objectKey, kind, language, mimeType])
  const stored = rendered.get(key)
  if (stored) return stored
  leaveTurn()
  const outcome = await renderOnce(key, async () => {
    const result = await renderers.render(file.orgId, job, open)
    if ('failed' in result) return result
    const preview = new JsonBytes(FilePreview.parse(result.preview))
    rendered.set(key, preview)
    return preview
  })
  if (outcome instanceof JsonBytes) return outcome
  throw new ApiError('BAD_REQUEST', REFUSALS[outcome.failed], { details: { reason: outcome.failed } })
}

const REFUSALS: Record<PreviewFailure, string> = {
  broken: 'The file cannot be read: it is damaged, or its content does not match its type',
  encrypted: 'The file is password-protected',
  too_complex: 'The file is too complex to preview: download it to read it',
  timed_out: 'The preview took too long: download the file to read it',
}

/**
 * Renders each preview once, not for every reader. The key contains the organization, so response times don't reveal
 * another organization's files.
 */
export function createPreviewCache(bytesMax = BYTES_MAX, entryBytesMax = ENTRY_BYTES_MAX) {
  const entries = new Map<string, JsonBytes>()
  let bytes = 0

  function remove(key: string): JsonBytes | undefined {
    const entry = entries.get(key)
    if (entry) bytes -= entry.bytes.length
    entries.delete(key)
    return entry
  }

  function set(key: string, entry: JsonBytes): void {
    if (entry.bytes.length > entryBytesMax) return
    remove(key)
    entries.set(key, entry)
    bytes += entry.bytes.length
    for (const oldest of entries.keys()) {
      if (bytes <= bytesMax) break
      remove(oldest)
    }
  }

  return {
    get(key: string): JsonBytes | undefined {
      const entry = remove(key)
      if (entry) set(key, entry)
      return entry
    },
    set,
  }
}
