import type { ExtractedText, TextBlock } from '../../../../../../markdown/text-blocks.ts'
import { PreviewError, type RenderJob } from '../job.ts'
import { openPdf, textOfPage } from '../pdf.ts'

const PAGES_MAX = 5000
/** Below the renderer's own limit, so that the first pages of a slow document are found. */
const TIME_MS = 20_000

export async function extractPdf(bytes: Uint8Array, { textBytesMax }: RenderJob): Promise<ExtractedText> {
  const began = performance.now()
  const document = await openPdf(bytes)
  const parts: string[] = []
  const blocks: TextBlock[] = []
  let length = 0
  let tried = 0
  let failed = 0
  while (
    tried < Math.min(document.numPages, PAGES_MAX) &&
    length <= textBytesMax &&
    (tried === 0 || performance.now() - began < TIME_MS)
  ) {
    tried++
    const page = (await textOfPage(document, tried))?.toWellFormed()
    if (page === undefined) failed++
    if (!page) continue
    parts.push(page)
    blocks.push({ from: length, to: length + page.length, page: tried })
    length += page.length + SEPARATOR.length
  }
  if (failed === tried) throw new PreviewError('broken')
  return {
    text: parts.join(SEPARATOR),
    blocks,
    pages: tried,
    truncated: tried < document.numPages || failed > 0,
  }
}

const SEPARATOR = '\n\n'
