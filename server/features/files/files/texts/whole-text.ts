import type { JobContext } from '../../../../context.ts'
import { ObjectStoreUnavailable } from '../../../../storage/unavailable.ts'
import type { ExtractOutcome, RenderJob } from '../previews/job.ts'
import { createPool } from '../previews/renderer-pool.ts'
import { extractText } from './extract-text.ts'
import {
  type ContentRef,
  insertWholeText,
  listUnread,
  type UnreadContent,
  type WholeText,
} from './whole-text-queries.ts'

/** About 20,000 tokens. */
const CHARACTERS_MAX = 80_000
/** In UTF-8, a character has at most three bytes per UTF-16 unit. */
const BYTES_MAX = 3 * CHARACTERS_MAX
/** For a call's files together: a run waits for them. */
const TIME_MS = 45_000

const renderers = createPool<RenderJob, ExtractOutcome>({
  timeMs: 15_000,
  concurrency: 2,
  concurrencyPerOrg: 1,
  waitingMax: 300,
  waitingPerOrgMax: 100,
  waitMs: TIME_MS,
})

/**
 * Reads each content once, and stores its text or that there is none. A file that can't be read now is never read: what
 * prompts contain must not change. The caller has checked access.
 */
export async function readWholeTexts(
  ctx: JobContext<'objects'>,
  orgId: string,
  refs: readonly ContentRef[],
): Promise<void> {
  if (refs.length === 0) return
  const until = performance.now() + TIME_MS
  for (const content of await listUnread(ctx.sql, orgId, refs)) {
    const whole = performance.now() < until ? await readWhole(ctx, orgId, content) : NONE
    // The storage is full or doesn't respond: a later step reads them.
    if (whole === null) return
    await insertWholeText(ctx.sql, orgId, content.key, whole, ctx.now())
  }
}

type Whole = Pick<WholeText, 'text' | 'isLonger'>

const NONE: Whole = { text: null, isLonger: false }

async function readWhole(
  ctx: JobContext<'objects'>,
  orgId: string,
  { key, ...content }: UnreadContent,
): Promise<Whole | null> {
  const stored = { ...content, orgId, objectKey: key }
  const outcome = await extractText(ctx, renderers, stored, BYTES_MAX + 1).catch((error: unknown) => {
    if (error instanceof ObjectStoreUnavailable) return null
    throw error
  })
  if (outcome === null) return null
  if (!('text' in outcome)) return NONE
  const { text, truncated } = outcome.text
  if (truncated || text.length > CHARACTERS_MAX) return { text: null, isLonger: true }
  return text.trim() === '' ? NONE : { text, isLonger: false }
}
