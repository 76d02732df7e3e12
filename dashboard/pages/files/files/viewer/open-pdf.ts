import type { PDFDocumentProxy, PDFPageProxy } from 'unpdf/pdfjs'
// oxlint-disable-next-line import/default -- Vite makes the URL of the file the default export.
import libraryUrl from 'unpdf/pdfjs?url'

export type { PDFDocumentProxy, PDFPageProxy }

type Library = typeof import('unpdf/pdfjs')

/** The page and its worker share one file, so the browser loads it once. */
const load = (): Promise<Library> => import(/* @vite-ignore */ libraryUrl)

/** Bytes per range request for large files. */
const RANGE_BYTES = 1_048_576

/**
 * A worker parses under the assets' CSP: no requests, no string evaluation. PDF scripts never run, since nothing loads
 * the library part that would run them.
 */
export async function openPdf(url: string, signal: AbortSignal): Promise<PDFDocumentProxy> {
  const { getDocument, PDFWorker } = await load()
  signal.throwIfAborted()
  const port = new Worker(libraryUrl, { type: 'module' })
  const worker = PDFWorker.create({ port } as never)
  const task = getDocument({
    url,
    worker,
    rangeChunkSize: RANGE_BYTES,
    disableAutoFetch: true,
    isEvalSupported: false,
    useWasm: false,
    useSystemFonts: true,
    enableXfa: false,
    stopAtErrors: false,
    verbosity: 0,
  })
  const close = () => {
    void task.destroy().finally(() => port.terminate())
  }
  signal.addEventListener('abort', close, { once: true })
  return task.promise
}

/** The width is in CSS pixels. Sharp on any screen. */
export async function drawPage(
  page: PDFPageProxy,
  canvas: HTMLCanvasElement,
  width: number,
  density: number,
): Promise<void> {
  const { width: unscaled } = page.getViewport({ scale: 1 })
  const scale = (width / unscaled) * density
  const viewport = page.getViewport({ scale: Math.min(scale, largestScale(page)) })
  canvas.width = Math.floor(viewport.width)
  canvas.height = Math.floor(viewport.height)
  await page.render({ canvas, viewport, annotationMode: 1 }).promise
}

/** Browsers refuse larger canvases, and a page can declare any size. */
const CANVAS_PIXELS_MAX = 16_777_216

function largestScale(page: PDFPageProxy): number {
  const { width, height } = page.getViewport({ scale: 1 })
  return Math.sqrt(CANVAS_PIXELS_MAX / (width * height))
}
