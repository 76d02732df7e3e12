import {
  type ExtractOutcome,
  type Outcome,
  type PageText,
  type Preview,
  PreviewError,
  type RenderJob,
  type Sitemap,
  type SitemapProblem,
} from './job.ts'
import { PREVIEW_TABLE, WHOLE_TABLE } from './limits.ts'

/** Receives a job, chunks and then `null`, and sends one outcome. Loads each library on demand. */
let job: RenderJob | null = null
let chunks: Uint8Array[] = []

process.on('message', (message: RenderJob | Uint8Array | null) => {
  if (message instanceof Uint8Array) chunks.push(message)
  else if (message !== null) job = message
  else void answer()
})
process.on('disconnect', () => process.exit())
// An exception outside a library's promise comes from the current file.
process.on('uncaughtException', (error) => send({ failed: reasonOf(error) }))

async function answer(): Promise<void> {
  const bytes = new Uint8Array(Buffer.concat(chunks))
  chunks = []
  try {
    if (job!.extract) send({ extracted: await (await import('./extract/extract.ts')).extract(bytes, job!) })
    else send({ preview: await render(bytes, job!) })
  } catch (error) {
    send({ failed: reasonOf(error) })
  }
}

type Rendered = Preview | PageText | Sitemap | SitemapProblem

async function render(bytes: Uint8Array, job: RenderJob): Promise<Rendered> {
  switch (job.format) {
    case 'text':
      return (await import('./text.ts')).renderText(bytes, job)
    case 'csv':
      return wholeOrNone((await import('./table-csv.ts')).renderCsv(bytes, job, tableLimits(job)), job)
    case 'workbook':
      return wholeOrNone((await import('./table-xlsx.ts')).renderWorkbook(bytes, job, tableLimits(job)), job)
    case 'docx':
      return (await import('./document-docx.ts')).renderDocx(bytes, job)
    case 'pptx':
      return (await import('./document-pptx.ts')).renderPptx(bytes, job)
    case 'markdown':
      return (await import('./document-markdown.ts')).renderMarkdown(bytes, job)
    case 'pdf':
      return (await import('./pdf.ts')).renderPdf(bytes, job)
    case 'page':
      return (await import('./page.ts')).renderPage(bytes, job)
    case 'sitemap':
      return (await import('./sitemap.ts')).readSitemap(bytes)
  }
}

/** A part of a table is of no use to those who need all of it, and may be millions of cells. */
const wholeOrNone = (preview: Preview<'table'>, { isTableWhole }: RenderJob): Preview<'table'> =>
  isTableWhole && preview.truncated ? { ...preview, sheets: [] } : preview

const tableLimits = ({ isTableWhole }: RenderJob) => (isTableWhole ? WHOLE_TABLE : PREVIEW_TABLE)

/** Stack overflows and overlong strings are RangeErrors. */
function reasonOf(error: unknown) {
  if (error instanceof PreviewError) return error.reason
  return error instanceof RangeError ? 'too_complex' : 'broken'
}

const send = (outcome: Outcome<Rendered> | ExtractOutcome) => process.send!(outcome)
