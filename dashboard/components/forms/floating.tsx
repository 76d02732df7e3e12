import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'

interface FloatingProps {
  id: string
  anchor: RefObject<HTMLElement | null>
  label: string
  /** In pixels; at least as wide as its anchor and at most as the window. */
  width: number
  onLeave: () => void
  children: ReactNode
}

const GAP_PX = 4
const EDGE_PX = 8
const HEIGHT_PX_MAX = 440

/** A small dialog below or above its button, in the top layer, so that nothing clips it. Focuses its field. */
export function Floating({ id, anchor, label, width, onLeave, children }: FloatingProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current!
    element.showPopover()
    element.querySelector('input')?.focus()
    const place = () => {
      const { left, width: anchorWidth, top, bottom } = anchor.current!.getBoundingClientRect()
      const below = innerHeight - bottom - GAP_PX - EDGE_PX
      const isAbove = below < HEIGHT_PX_MAX && top > below
      const room = isAbove ? top - GAP_PX - EDGE_PX : below
      const ownWidth = Math.min(Math.max(width, anchorWidth), innerWidth - 2 * EDGE_PX)
      Object.assign(element.style, {
        left: `${Math.max(EDGE_PX, Math.min(left, innerWidth - ownWidth - EDGE_PX))}px`,
        width: `${ownWidth}px`,
        maxHeight: `${Math.min(HEIGHT_PX_MAX, room)}px`,
        top: isAbove ? 'auto' : `${bottom + GAP_PX}px`,
        bottom: isAbove ? `${innerHeight - top + GAP_PX}px` : 'auto',
      })
    }
    place()
    addEventListener('resize', place)
    document.addEventListener('scroll', place, true)
    return () => {
      removeEventListener('resize', place)
      document.removeEventListener('scroll', place, true)
    }
  }, [anchor, width])
  return (
    <div
      ref={box}
      id={id}
      role="dialog"
      aria-label={label}
      popover="manual"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget) && relatedTarget !== anchor.current) onLeave()
      }}
      className="fixed m-0 flex-col overflow-hidden rounded-panel bg-float p-0 text-neutral-12 shadow-float open:flex"
    >
      {children}
    </div>
  )
}
