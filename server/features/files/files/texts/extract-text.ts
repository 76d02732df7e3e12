import { SEARCH_LIMITS } from '../../../../../contract/search/search-options.ts'
import type { ExtractedText } from '../../../../../markdown/text-blocks.ts'
import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import type { WorkerRuntime } from '../../../../feature.ts'
import { startOrganizationLoop } from '../../../../jobs/organization-loop.ts'
import { isPassing, PASSING_MS } from '../../../../jobs/passing-failure.ts'
import { saveFilePassages } from '../../../knowledge/passages/passages.ts'
import { claimTexts, type DueText, postponeText, saveText, textsWaiting } from '../../../search/search.ts'
import { TEXTS_CHANNEL } from '../events.ts'
import type { ExtractOutcome, RenderJob } from '../previews/job.ts'
import { previewKind } from '../previews/kinds.ts'
import { createPool } from '../previews/renderer-pool.ts'

/** Longer than for a preview: no user waits, and search misses a file that times out. */
const TIME_MS = 30_000
const LEASE_MS = 300_000

/** One file at a time. Previews have their own renderers. */
export async function startTextWorker(runtime: WorkerRuntime) {
  const renderers = createPool<RenderJob, ExtractOutcome>({
    timeMs: TIME_MS,
    concurrency: 1,
    concurrencyPerOrg: 1,
  })
  const loop = await startOrganizationLoop<DueText>(runtime, {
    name: 'file texts',
    channel: TEXTS_CHANNEL,
    waiting: textsWaiting,
    concurrency: 1,
    perOrganization: 1,
    leaseMs: LEASE_MS,
    whileSuspended: true,
    claim: (request) => claimTexts(runtime.pool, request),
    release: async (due, error) => {
      if (!isPassing(error)) return
      const { sql, now } = runtime.context()
      await postponeText(sql, due.orgId, due, new Date(now().getTime() + PASSING_MS))
    },
    run: async (due) => {
      const ctx = runtime.context()
      const file = await findStored(ctx.sql, due.orgId, due.id)
      const isCurrent = file?.objectKey === due.objectKey
      const outcome = isCurrent ? await extractText(ctx, renderers, file) : null
      await ctx.transaction(async ({ sql }) => {
        // The content may have been replaced meanwhile: its text waits already.
        const isStill = isCurrent && (await lockContent(sql, due))
        // Changes of a file lock its search entry first, too.
        await saveText(sql, due.orgId, due, textOf(outcome))
        if (outcome !== null && isStill) await saveFilePassages(sql, due.orgId, file, outcome)
      })
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
  id: string
  projectId: string | null
  name: string
  /** Number of the content. */
  version: number
  mimeType: string
  size: number
  objectKey: string
}

async function findStored(sql: Sql, orgId: string, id: string): Promise<StoredFile | null> {
  const [row] = await sql<StoredFile[]>`
    select f.org_id as "orgId", f.id, d.project_id as "projectId", f.name, f.content_number as version,
      f.mime_type as "mimeType", f.size, f.object_key as "objectKey"
    from files f join folders d on d.org_id = f.org_id and d.id = f.parent_id
    where f.org_id = ${orgId} and f.id = ${id} and f.object_key is not null`
  return row ?? null
}

async function lockContent(sql: Sql, { orgId, id, objectKey }: DueText): Promise<boolean> {
  const rows = await sql`
    select from files where org_id = ${orgId} and id = ${id} and object_key = ${objectKey} and deleted_at is null
    for key share`
  return rows.length > 0
}

type StoredContent = Pick<StoredFile, 'orgId' | 'name' | 'mimeType' | 'size' | 'objectKey'>

type Renderers = ReturnType<typeof createPool<RenderJob, ExtractOutcome>>

/** Of plain text and the text in documents. Fifteen thousand passages have about as much. */
const TEXT_BYTES_MAX = 12_582_912

type TextOutcome = { text: ExtractedText } | { failed: string } | { unsupported: true }

/** Uses preview limits: its own process, little memory and time. */
export async function extractText(
  { objects }: JobContext<'objects'>,
  renderers: Renderers,
  { orgId, name, mimeType, size, objectKey }: StoredContent,
  textBytesMax = TEXT_BYTES_MAX,
): Promise<TextOutcome> {
  const kind = textKind(mimeType, name)
  if (kind === null) return { unsupported: true }
  if (size > SEARCH_LIMITS.fileBytes) return { failed: 'too_large' }
  const isPartial = (kind === 'text' || kind === 'markdown') && size > textBytesMax
  const range = isPartial ? { start: 0, end: textBytesMax - 1 } : undefined
  const job: RenderJob = {
    format: 'text',
    extract: kind,
    mimeType,
    language: null,
    isPartial,
    textBytesMax,
  }
  const content = await objects.get(objectKey, range)
  if (!content) return { failed: 'broken' }
  const outcome: ExtractOutcome = await renderers.render(orgId, job, async () => content)
  if ('failed' in outcome) return outcome
  const { extracted } = outcome
  return { text: { ...extracted, text: toStorable(extracted.text) } }
}

/** What search finds of it. */
const textOf = (outcome: TextOutcome | null): string =>
  outcome !== null && 'text' in outcome ? outcome.text.text.slice(0, SEARCH_LIMITS.text).toWellFormed() : ''

export const hasText = (mimeType: string, name: string): boolean => textKind(mimeType, name) !== null

/** Null without text. */
function textKind(mimeType: string, name: string): RenderJob['extract'] | null {
  const { kind, language } = previewKind(mimeType, name)
  if (mimeType === 'message/rfc822') return 'email'
  if (kind === 'text' && language === 'html') return 'html'
  return kind === 'unsupported' || kind === 'image' ? null : kind
}

/** PostgreSQL stores no NUL. As long as before, so that the parts stay where they are. */
const toStorable = (text: string) => text.toWellFormed().replaceAll('\0', ' ')
