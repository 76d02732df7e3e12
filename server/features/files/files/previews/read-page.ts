import type { Article, Preview, PreviewFailure, RenderJob } from './job.ts'
import { createRendererPool } from './renderer-pool.ts'

/** In UTF-8 bytes. */
const TEXT_BYTES_MAX = 4_194_304

/** Previews have their own renderers, so agents that read the web don't slow them down. */
const renderers = createRendererPool<Article | Preview<'text'>>({ concurrency: 2, concurrencyPerOrg: 1 })

const JOB = { language: null, isPartial: false, textBytesMax: TEXT_BYTES_MAX }

/** Null if the page has no article, or is too large or too complex to find it. Expects UTF-8. */
export async function readArticle(orgId: string, html: Uint8Array): Promise<Omit<Article, 'kind'> | null> {
  const job: RenderJob = { ...JOB, format: 'page', mimeType: 'text/html' }
  const outcome = await renderers.render(orgId, job, () => chunksOf(html))
  return 'preview' in outcome && outcome.preview.kind === 'article' ? outcome.preview : null
}

/** With a line such as `[Page 3]` before each page. */
export async function readPdf(
  orgId: string,
  bytes: Uint8Array,
): Promise<Pick<Preview<'text'>, 'text' | 'truncated'> | { failed: PreviewFailure }> {
  const job: RenderJob = { ...JOB, format: 'pdf', mimeType: 'application/pdf', marksPages: true }
  const outcome = await renderers.render(orgId, job, () => chunksOf(bytes))
  if ('failed' in outcome) return outcome
  return outcome.preview.kind === 'text' ? outcome.preview : { failed: 'broken' }
}

const CHUNK_BYTES = 262_144

async function chunksOf(bytes: Uint8Array): Promise<AsyncIterable<Uint8Array>> {
  return (async function* () {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
  })()
}
