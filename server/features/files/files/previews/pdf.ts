import { getDocumentProxy } from 'unpdf'
import { type Preview, PreviewError, type RenderJob } from './job.ts'
import { truncateBytes } from './limits.ts'

const PAGES_READ_MAX = 500

export async function renderPdf(bytes: Uint8Array, job: RenderJob): Promise<Preview<'text'>> {
  const document = await openPdf(bytes)
  const pages = document.numPages
  let text = ''
  let pagesTried = 0
  let pagesFailed = 0
  while (pagesTried < Math.min(pages, PAGES_READ_MAX) && text.length <= job.textBytesMax) {
    pagesTried++
    const page = await textOfPage(document, pagesTried)
    if (page === null) pagesFailed++
    else text += `${text === '' ? '' : '\n\n'}${job.marksPages ? `[Page ${pagesTried}]\n` : ''}${page}`
  }
  if (pagesFailed === pagesTried) throw new PreviewError('broken')
  const shown = truncateBytes(text.toWellFormed(), job.textBytesMax)
  const truncated = pagesTried < pages || pagesFailed > 0 || shown.length < text.length
  return { kind: 'text', mimeType: job.mimeType, truncated, text: shown, language: null, pages }
}

type PdfDocument = Awaited<ReturnType<typeof openPdf>>

/** Null for an unreadable page. Others are often readable. */
export async function textOfPage(document: PdfDocument, number: number): Promise<string | null> {
  try {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    page.cleanup()
    return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
  } catch {
    return null
  }
}

export async function openPdf(bytes: Uint8Array) {
  try {
    return await getDocumentProxy(bytes, {
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      verbosity: 0,
    })
  } catch (error) {
    throw new PreviewError((error as Error).name === 'PasswordException' ? 'encrypted' : 'broken')
  }
}
