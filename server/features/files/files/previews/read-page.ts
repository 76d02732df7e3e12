import type { PageText, Preview, PreviewFailure, RenderJob, Sitemap, SitemapProblem } from './job.ts'
import { createRendererPool } from './renderer-pool.ts'

/** In UTF-8 bytes. */
const TEXT_BYTES_MAX = 4_194_304

/** Nobody waits for these in front of a screen, so a busy machine gets more time. */
const TIME_MS = 15_000

/** Previews have their own renderers, so agents that read the web don't slow them down. */
const renderers = createRendererPool<PageText | Preview<'text'>>({
  ...{ concurrency: 2, concurrencyPerOrg: 1, timeMs: TIME_MS },
})
const sitemaps = createRendererPool<Sitemap | SitemapProblem>({ concurrency: 1, timeMs: TIME_MS })

const JOB = { language: null, isPartial: false, textBytesMax: TEXT_BYTES_MAX }

/** Expects UTF-8. */
export async function readWebPage(
  orgId: string,
  html: Uint8Array,
  url: string,
): Promise<PageText | { failed: PreviewFailure }> {
  const job: RenderJob = { ...JOB, format: 'page', mimeType: 'text/html', url }
  const outcome = await renderers.render(orgId, job, () => chunksOf(html))
  // Looking for the article may take too much time or memory.
  const read =
    'failed' in outcome
      ? await renderers.render(orgId, { ...job, isWhole: true }, () => chunksOf(html))
      : outcome
  if ('failed' in read) return read
  return read.preview.kind === 'page' ? read.preview : { failed: 'broken' }
}

/** Unpacks gzip. */
export async function readSitemap(
  orgId: string,
  content: AsyncIterable<Uint8Array>,
): Promise<Sitemap | SitemapProblem | { failed: PreviewFailure }> {
  const job: RenderJob = { ...JOB, format: 'sitemap', mimeType: 'application/xml' }
  const outcome = await sitemaps.render(orgId, job, async () => content)
  return 'failed' in outcome ? outcome : outcome.preview
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
