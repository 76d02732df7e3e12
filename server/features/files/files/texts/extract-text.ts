import { dictionary } from '../../../../../contract/dictionary.ts'
import { SEARCH_LIMITS } from '../../../../../contract/search/search-options.ts'
import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import type { WorkerRuntime } from '../../../../feature.ts'
import { startOrganizationLoop } from '../../../../jobs/organization-loop.ts'
import { claimTexts, type DueText, saveText, textsWaiting } from '../../../search/search.ts'
import { TEXTS_CHANNEL } from '../events.ts'
import type { Preview, RenderJob } from '../previews/job.ts'
import { previewKind } from '../previews/kinds.ts'
import { createRendererPool } from '../previews/renderer-pool.ts'

/** Longer than for a preview: no user waits, and search misses a file that times out. */
const TIME_MS = 30_000
const LEASE_MS = 120_000

/** One file at a time. Previews have their own renderers. */
export async function startTextWorker(runtime: WorkerRuntime) {
  const renderers = createRendererPool({ timeMs: TIME_MS, concurrency: 1, concurrencyPerOrg: 1 })
  const loop = await startOrganizationLoop<DueText>(runtime, {
    name: 'file texts',
    channel: TEXTS_CHANNEL,
    waiting: textsWaiting,
    concurrency: 1,
    perOrganization: 1,
    leaseMs: LEASE_MS,
    whileSuspended: true,
    claim: (request) => claimTexts(runtime.pool, request),
    run: async (due) => {
      const ctx = runtime.context()
      const file = await findStored(ctx.sql, due.orgId, due.id)
      const text = file?.objectKey === due.objectKey ? await extractText(ctx, renderers, file) : ''
      await saveText(ctx.sql, due.orgId, due, text)
    },
  })
  return {
    async stop() {
      await loop.stop()
      await renderers.close()
    },
  }
}

interface StoredFile {
  orgId: string
  name: string
  mimeType: string
  size: number
  objectKey: string
}

async function findStored(sql: Sql, orgId: string, id: string): Promise<StoredFile | null> {
  const [row] = await sql<StoredFile[]>`
    select org_id as "orgId", name, mime_type as "mimeType", size, object_key as "objectKey" from files
    where org_id = ${orgId} and id = ${id} and object_key is not null`
  return row ?? null
}

type Renderers = ReturnType<typeof createRendererPool>

/** Two bytes per searchable character. Most texts need fewer. */
const TEXT_BYTES_MAX = 2 * SEARCH_LIMITS.text

/** Uses preview limits: its own process, little memory and time. Empty without readable text. */
export async function extractText(
  { objects }: JobContext<'objects'>,
  renderers: Renderers,
  { orgId, name, mimeType, size, objectKey }: StoredFile,
): Promise<string> {
  const { kind, language } = previewKind(mimeType, name)
  if (kind === 'unsupported' || kind === 'image' || size > SEARCH_LIMITS.fileBytes) return ''
  // Markdown is text, so its words need no rendering.
  const format = kind === 'markdown' ? 'text' : kind
  const isPartial = format === 'text' && size > TEXT_BYTES_MAX
  const range = isPartial ? { start: 0, end: TEXT_BYTES_MAX - 1 } : undefined
  const job: RenderJob = { format, mimeType, language, isPartial, textBytesMax: TEXT_BYTES_MAX }
  const content = await objects.get(objectKey, range)
  if (!content) return ''
  const outcome = await renderers.render(orgId, job, async () => content)
  return 'preview' in outcome ? toStorable(textOf(outcome.preview)) : ''
}

function textOf(preview: Preview): string {
  if (preview.kind === 'text') return preview.text
  if (preview.kind === 'document') return withoutTags(preview.html)
  if (preview.kind !== 'table') return ''
  return preview.sheets
    .map(({ name, rows }) => [name, ...rows.map((row) => row.filter(Boolean).join(' '))].join('\n'))
    .join('\n')
    .slice(0, TEXT_BYTES_MAX)
}

const ENTITIES: Record<string, string> = dictionary({
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  '#39': "'",
})

/** The HTML is already sanitized, and the result is shown only as text. */
const withoutTags = (html: string) =>
  html
    .replace(/<[^>]*>/g, (tag) => (/^<\/?(p|h\d|li|tr|td|th|br|div|table)\b/i.test(tag) ? '\n' : ''))
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/\n{2,}/g, '\n')

/** PostgreSQL stores no NUL. */
const toStorable = (text: string) => text.toWellFormed().replaceAll('\0', ' ')
