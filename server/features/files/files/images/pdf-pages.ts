import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium'
import {
  ImageError,
  type ImageJob,
  type ImageOutcome,
  type RenderedImage,
  type RenderedPage,
} from './image-job.ts'
import { encodePixels } from './raster.ts'

/** A scan may have a page number or a stamp as text. */
const TEXT_LETTERS_MIN = 16
/** Sharper than the page itself doesn't help: 300 dots per inch. */
const SCALE_MAX = 300 / 72

/** Text where a page has some, else its picture. */
export async function renderPages(
  bytes: Uint8Array,
  { pages: { from, to }, sideMax, isDrawn = false }: Extract<ImageJob, { format: 'pdf' }>,
): Promise<ImageOutcome> {
  const library = await PDFiumLibrary.init()
  const document = await open(library, bytes)
  const pageCount = document.getPageCount()
  const pages: RenderedPage[] = []
  for (let number = from; number <= Math.min(to, pageCount); number++)
    pages.push(await renderPage(document.getPage(number - 1), number, { sideMax, isDrawn }))
  document.destroy()
  library.destroy()
  return { pages, pageCount }
}

async function open(library: PDFiumLibrary, bytes: Uint8Array): Promise<PDFiumDocument> {
  try {
    return await library.loadDocument(bytes)
  } catch (error) {
    throw new ImageError(/password/i.test((error as Error).message) ? 'encrypted' : 'broken')
  }
}

async function renderPage(
  page: PDFiumPage,
  number: number,
  { sideMax, isDrawn }: { sideMax: number; isDrawn: boolean },
): Promise<RenderedPage> {
  const text = page.getText().toWellFormed().replaceAll('\0', ' ').trim()
  if (!isDrawn && text.replaceAll(/[^\p{L}\p{N}]/gu, '').length >= TEXT_LETTERS_MIN)
    return { page: number, text, image: null }
  return { page: number, text: null, image: await draw(page, sideMax) }
}

async function draw(page: PDFiumPage, sideMax: number): Promise<RenderedImage> {
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const scale = Math.min(SCALE_MAX, sideMax / Math.max(originalWidth, originalHeight))
  const { data, width, height } = await page.render({ scale, render: 'bitmap' })
  return encodePixels(data, { width, height, layout: 'rgba' })
}
