import { useEffect, useRef, useState } from 'react'
import { drawPage, type PDFDocumentProxy } from './open-pdf.ts'

/** Pages near the viewport are drawn; others keep their size, and their pixels are released. */
const AHEAD_PX = 1200

interface PdfPageProps {
  document: PDFDocumentProxy
  /** The first page is 1. */
  number: number
  /** The width in CSS pixels, and the ratio of height to width until the page is loaded. */
  width: number
  ratio: number
  onVisible: (number: number) => void
}

export function PdfPage({ document: pdf, number, width, ratio: firstRatio, onVisible }: PdfPageProps) {
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isNear, setNear] = useState(false)
  const [ratio, setRatio] = useState(firstRatio)
  const [isBroken, setBroken] = useState(false)

  useEffect(() => {
    const root = frame.current!.closest('[data-pages]')
    const near = new IntersectionObserver(([entry]) => setNear(entry!.isIntersecting), {
      root,
      rootMargin: `${AHEAD_PX}px 0px`,
    })
    // A line across the middle of the screen: one page at a time touches it.
    const middle = new IntersectionObserver(([entry]) => entry!.isIntersecting && onVisible(number), {
      root,
      rootMargin: '-50% 0px -50% 0px',
    })
    near.observe(frame.current!)
    middle.observe(frame.current!)
    return () => {
      near.disconnect()
      middle.disconnect()
    }
  }, [number, onVisible])

  useEffect(() => {
    if (!isNear) return
    let isCurrent = true
    const draw = async () => {
      const page = await pdf.getPage(number)
      const { width: pageWidth, height: pageHeight } = page.getViewport({ scale: 1 })
      setRatio(pageHeight / pageWidth)
      // Drawn on a second canvas: a canvas accepts one drawing at a time, and a new size would show an empty page.
      const next = document.createElement('canvas')
      await drawPage(page, next, width, devicePixelRatio)
      if (!isCurrent || !canvas.current) return
      canvas.current.width = next.width
      canvas.current.height = next.height
      canvas.current.getContext('2d')?.drawImage(next, 0, 0)
      canvas.current.dataset.drawn = ''
      page.cleanup()
    }
    draw().catch(() => isCurrent && setBroken(true))
    return () => {
      isCurrent = false
    }
  }, [pdf, number, width, isNear])

  return (
    <div
      ref={frame}
      style={{ width, height: Math.round(width * ratio) }}
      className="relative mx-auto shrink-0 bg-neutral-3 shadow-float"
    >
      {isNear && <canvas ref={canvas} role="img" aria-label={`Page ${number}`} className="block size-full" />}
      {isBroken && (
        <p className="absolute inset-0 flex items-center justify-center p-16 text-13 text-bad-text">
          Page {number} can’t be displayed.
        </p>
      )}
    </div>
  )
}
