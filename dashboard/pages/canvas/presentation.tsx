import { ViewportPortal } from '@xyflow/react'
import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useSyncExternalStore } from 'react'
import { useCanvas } from './canvas-context.ts'
import { LINES_Z } from './flow/nodes.ts'
import { buildSlides } from './model/slides.ts'
import { ToolButton } from './tools/tool-button.tsx'

const TOP = 2 * LINES_Z + 3
const STEPS: Record<string, number> = {
  ArrowRight: 1,
  ArrowDown: 1,
  PageDown: 1,
  ' ': 1,
  Enter: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  PageUp: -1,
  Backspace: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** The canvas stays live below. */
export default function Presentation({ slideId }: { slideId: string }) {
  const { store, ui, view } = useCanvas()
  const region = useRef<HTMLElement>(null)
  const changes = useSyncExternalStore(store.watch, () => store.seq())
  const slides = buildSlides(store.items.blocks)
  const index = Math.max(
    0,
    slides.findIndex(({ id }) => id === slideId),
  )
  const slide = slides[index]
  const { x = 0, y = 0, width = 1, height = 1 } = slide?.box ?? {}

  const exit = () => {
    ui.presenting.set(null)
    if (document.fullscreenElement) void document.exitFullscreen()
    view.element()?.focus({ preventScroll: true })
  }
  const go = (step: number) => {
    const next = slides[Math.max(0, Math.min(slides.length - 1, index + step))]
    if (next) ui.presenting.set(next.id)
  }

  useEffect(() => region.current?.focus({ preventScroll: true }), [])
  // Saves the corner, not the center: the canvas is about to resize.
  useEffect(() => view.rememberViewport(), [view])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a moved group is centered again.
  useEffect(() => {
    const show = () => view.present({ x, y, width, height })
    show()
    const element = view.element()
    if (!element) return
    const observer = new ResizeObserver(show)
    observer.observe(element)
    return () => observer.disconnect()
  }, [view, x, y, width, height, changes])
  useEffect(() => {
    const onChange = () => {
      if (!document.fullscreenElement) ui.presenting.set(null)
    }
    document.addEventListener('fullscreenchange', onChange)
    return () => document.removeEventListener('fullscreenchange', onChange)
  }, [ui])

  const onKeyDown = (event: KeyboardEvent) => {
    const isButton =
      (event.target as Element).closest('button') && (event.key === ' ' || event.key === 'Enter')
    event.stopPropagation()
    const step = STEPS[event.key]
    if (event.key === 'Escape') exit()
    else if (step === undefined || isButton) return
    else go(step)
    event.preventDefault()
  }
  const onClick = (event: MouseEvent<HTMLElement>) => {
    if ((event.target as Element).closest('[role=toolbar]')) return
    const box = event.currentTarget.getBoundingClientRect()
    go(event.clientX - box.x < box.width / 3 ? -1 : 1)
  }
  return (
    <>
      <ViewportPortal>
        <div
          aria-hidden
          className="canvas-spotlight pointer-events-none absolute top-0 left-0 rounded-composer"
          style={{ transform: `translate(${x}px, ${y}px)`, width, height, zIndex: TOP }}
        />
      </ViewportPortal>
      <section
        ref={region}
        tabIndex={-1}
        aria-label="Presentation"
        data-beside
        onKeyDown={onKeyDown}
        onClick={onClick}
        className="absolute inset-0 z-20 cursor-default outline-none"
      >
        <div
          role="toolbar"
          aria-label="Presentation"
          className="absolute bottom-16 left-1/2 flex max-w-full -translate-x-1/2 items-center gap-4 rounded-composer bg-float p-4 shadow-float"
        >
          <ToolButton aria-label="Previous slide" disabled={index === 0} onClick={() => go(-1)}>
            <ChevronLeft aria-hidden className="icon" />
          </ToolButton>
          <p role="status" className="min-w-0 truncate px-8 text-13 tabular-nums">
            {index + 1} of {slides.length}
            <span className="ml-8 text-neutral-11">{slide?.name}</span>
          </p>
          <ToolButton aria-label="Next slide" disabled={index >= slides.length - 1} onClick={() => go(1)}>
            <ChevronRight aria-hidden className="icon" />
          </ToolButton>
          <ToolButton aria-label="End presentation" title="End presentation (Esc)" onClick={exit}>
            <X aria-hidden className="icon" />
          </ToolButton>
        </div>
      </section>
    </>
  )
}
