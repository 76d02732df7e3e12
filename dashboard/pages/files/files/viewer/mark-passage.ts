import { findQuote } from '../../../../components/citations/find-quote.ts'
import type { PDFPageProxy } from './open-pdf.ts'

/** In percent of the page. */
export interface Mark {
  key: number
  left: number
  top: number
  width: number
  height: number
}

/** The boxes of a quote's lines on a PDF page. Empty if the page doesn't have it. */
export async function listMarks(page: PDFPageProxy, quote: string): Promise<Mark[]> {
  const { items } = await page.getTextContent()
  const pieces = items.flatMap((item) => ('str' in item ? [item] : []))
  const found = findQuote(
    pieces.map(({ str }) => str),
    quote,
  )
  if (!found) return []
  const viewport = page.getViewport({ scale: 1 })
  const { start, end } = found
  return pieces.slice(start.index, end.index + 1).flatMap(({ str, transform, width, height }, at): Mark[] => {
    const key = start.index + at
    if (str.trim() === '') return []
    const from = key === start.index ? start.offset / str.length : 0
    const to = key === end.index ? (end.offset + 1) / str.length : 1
    const [x, y] = [transform[4] as number, transform[5] as number]
    const box = [x + width * from, y - height * 0.2, x + width * to, y + height]
    const [x1, y1, x2, y2] = viewport.convertToViewportRectangle(box) as [number, number, number, number]
    return [
      {
        key,
        left: (Math.min(x1, x2) / viewport.width) * 100,
        top: (Math.min(y1, y2) / viewport.height) * 100,
        width: (Math.abs(x2 - x1) / viewport.width) * 100,
        height: (Math.abs(y2 - y1) / viewport.height) * 100,
      },
    ]
  })
}
