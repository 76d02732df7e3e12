import { ExternalLink, ZoomIn, ZoomOut } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { Button, buttonClass } from '../../../../components/button.tsx'
import { listMarks, type Mark } from './mark-passage.ts'
import { drawPage, openPdf, type PDFDocumentProxy } from './open-pdf.ts'

const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const
const FIT_INDEX = 2
const PAGE_PX_MAX = 900
const MARGIN_PX = 32
/** A4, until the first page is known. */
const RATIO = Math.SQRT2

interface PdfViewProps {
  url: string
  name: string
  /** Scrolled to and marked. */
  passage?: PdfPassage | undefined
  /** Shown if the document can't be opened. */
  fallback: (reason: string) => ReactNode
}

export interface PdfPassage {
  page: number
  quote: string
}

export function PdfView({ url, name, passage, fallback }: PdfViewProps) {
  const pdf = usePdf(url)
  if (pdf.state === 'failed') return fallback(pdf.reason)
  if (pdf.state === 'loading')
    return (
      <p role="status" className="animate-late m-auto text-13 text-neutral-11">
        Loading pages…
      </p>
    )
  return <Pages document={pdf.document} url={url} name={name} passage={passage} />
}

interface PagesProps extends Pick<PdfViewProps, 'url' | 'name' | 'passage'> {
  document: PDFDocumentProxy
}

function Pages({ document: pdf, url, name, passage }: PagesProps) {
  const scroll = useRef<HTMLElement>(null)
  const [zoom, setZoom] = useState<number>(FIT_INDEX)
  const [shownPage, setShownPage] = useState(1)
  const [availableWidth, setAvailableWidth] = useState(0)
  const [ratio, setRatio] = useState<number>()

  useEffect(() => {
    const sizes = new ResizeObserver(([entry]) => setAvailableWidth(entry!.contentRect.width))
    sizes.observe(scroll.current!)
    return () => sizes.disconnect()
  }, [])
  useEffect(() => {
    pdf.getPage(1).then(
      (page) => {
        const { width, height } = page.getViewport({ scale: 1 })
        setRatio(height / width)
      },
      () => setRatio(RATIO),
    )
  }, [pdf])

  const width = Math.round(Math.min(availableWidth - MARGIN_PX, PAGE_PX_MAX) * ZOOMS[zoom]!)
  return (
    <>
      <section
        ref={scroll}
        data-pages
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
        tabIndex={0}
        aria-label={textWithNames`Pages in ${name}`}
        className="flex min-h-0 w-full flex-1 flex-col gap-16 overflow-auto py-16 -outline-offset-2"
      >
        {width > 0 &&
          ratio !== undefined &&
          Array.from({ length: pdf.numPages }, (_, index) => (
            <PdfPage
              // biome-ignore lint/suspicious/noArrayIndexKey: the number of a page is its identity.
              key={index}
              document={pdf}
              number={index + 1}
              width={width}
              ratio={ratio}
              onVisible={setShownPage}
              quote={passage?.page === index + 1 ? passage.quote : undefined}
            />
          ))}
      </section>
      <footer className="flex shrink-0 items-center justify-center gap-8 border-neutral-6 border-t bg-card px-16 py-4 text-12 text-neutral-11 tabular-nums">
        <span role="status">
          Page {shownPage} of {pdf.numPages}
        </span>
        <Button
          look="quiet"
          size="small-icon"
          aria-label="Zoom out"
          disabled={zoom === 0}
          onClick={() => setZoom(zoom - 1)}
        >
          <ZoomOut aria-hidden className="icon" />
        </Button>
        <span className="w-32 text-center">{Math.round(ZOOMS[zoom]! * 100)}%</span>
        <Button
          look="quiet"
          size="small-icon"
          aria-label="Zoom in"
          disabled={zoom === ZOOMS.length - 1}
          onClick={() => setZoom(zoom + 1)}
        >
          <ZoomIn aria-hidden className="icon" />
        </Button>
        <a href={url} target="_blank" rel="noreferrer" className={buttonClass('quiet', 'small')}>
          <ExternalLink aria-hidden className="icon" />
          Open PDF
        </a>
      </footer>
    </>
  )
}

/** Other pages keep their size and release their pixels. */
const AHEAD_PX = 1200

interface PdfPageProps {
  document: PDFDocumentProxy
  /** 1-based. */
  number: number
  /** Width in CSS pixels; ratio (height to width) applies until the page loads. */
  width: number
  ratio: number
  onVisible: (number: number) => void
  /** Cited text on this page. */
  quote: string | undefined
}

function PdfPage({ document: pdf, number, width, ratio: firstRatio, onVisible, quote }: PdfPageProps) {
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isNear, setNear] = useState(false)
  const [ratio, setRatio] = useState(firstRatio)
  const [isBroken, setBroken] = useState(false)
  const [marks, setMarks] = useState<readonly Mark[]>([])
  const isCited = quote !== undefined

  useLayoutEffect(() => {
    if (isCited) frame.current!.scrollIntoView()
  }, [isCited])

  useEffect(() => {
    if (quote === undefined) return
    let isCurrent = true
    pdf
      .getPage(number)
      .then((page) => listMarks(page, quote))
      .then(
        (found) => isCurrent && setMarks(found),
        // The page itself shows whether it can be read.
        () => {},
      )
    return () => {
      isCurrent = false
    }
  }, [pdf, number, quote])

  useEffect(() => {
    const root = frame.current!.closest('[data-pages]')
    const near = new IntersectionObserver(([entry]) => setNear(entry!.isIntersecting), {
      root,
      rootMargin: `${AHEAD_PX}px 0px`,
    })
    // A line across the screen's middle: one page at a time touches it.
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
      // A canvas accepts one drawing at a time, and resizing would show an empty page.
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
      {isNear && (
        <canvas ref={canvas} role="img" aria-label={t`Page ${number}`} className="block size-full" />
      )}
      {isNear && marks.map((mark, index) => <PassageMark key={mark.key} mark={mark} isFirst={index === 0} />)}
      {isBroken && (
        <p className="absolute inset-0 flex items-center justify-center p-16 text-13 text-bad-text">
          Page {number} can’t be displayed.
        </p>
      )}
    </div>
  )
}

/** Over the page's drawing, so it can't cover the text. */
function PassageMark({ mark: { left, top, width, height }, isFirst }: { mark: Mark; isFirst: boolean }) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (isFirst) element.current!.scrollIntoView({ block: 'center' })
  }, [isFirst])
  return (
    <div
      ref={element}
      aria-hidden
      data-passage
      style={{ left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` }}
      className="passage-mark absolute"
    />
  )
}

type PdfState =
  | { state: 'loading' }
  | { state: 'ready'; document: PDFDocumentProxy }
  | { state: 'failed'; reason: string }

/** Closes the document on unmount. */
function usePdf(url: string): PdfState {
  const [pdf, setPdf] = useState<PdfState>({ state: 'loading' })
  useEffect(() => {
    const controller = new AbortController()
    openPdf(url, controller.signal).then(
      (document) => setPdf({ state: 'ready', document }),
      (error: unknown) => {
        if (!controller.signal.aborted) setPdf({ state: 'failed', reason: reasonOf(error) })
      },
    )
    return () => controller.abort()
  }, [url])
  return pdf
}

const REASONS: Record<string, string> = {
  PasswordException: t`This PDF is password protected.`,
  InvalidPDFException: t`This PDF is damaged.`,
}

const reasonOf = (error: unknown) =>
  REASONS[(error as Error | null)?.name ?? ''] ?? t`This PDF’s pages can’t be displayed.`
