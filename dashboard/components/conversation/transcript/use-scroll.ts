import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Closer to the end, the transcript follows new text. */
const END_PX = 48

/**
 * Follows the end while the reader is there; otherwise keeps the position, even when older messages are added above.
 */
export function useScroll(firstSeq: number) {
  const ref = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  /** Scrolls to a place, instead of following the end. */
  const hold = useRef<(() => void) | null>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const previous = useRef({ firstSeq, height: 0 })

  // After every render, since text may have been added anywhere.
  useLayoutEffect(() => {
    const scroller = ref.current
    if (!scroller) return
    const { scrollHeight } = scroller
    if (hold.current) hold.current()
    else if (follows.current) scroller.scrollTop = scrollHeight
    else if (firstSeq < previous.current.firstSeq)
      scroller.scrollTop += scrollHeight - previous.current.height
    previous.current = { firstSeq, height: scrollHeight }
  })

  // Late rendering, such as an opened row or a deferred answer, also changes the height.
  useEffect(() => {
    const scroller = ref.current
    const content = scroller?.firstElementChild
    if (!scroller || !content) return
    const observer = new ResizeObserver(() => {
      if (hold.current) hold.current()
      else if (follows.current) scroller.scrollTop = scroller.scrollHeight
      previous.current.height = scroller.scrollHeight
    })
    observer.observe(content)
    observer.observe(scroller)
    return () => observer.disconnect()
  }, [])

  const onScroll = () => {
    const scroller = ref.current
    if (!scroller) return
    const isNearEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < END_PX
    follows.current = isNearEnd && !hold.current
    setAtEnd(isNearEnd)
  }
  const release = () => {
    hold.current = null
  }
  const scrollToEnd = () => {
    release()
    follows.current = true
    setAtEnd(true)
    ref.current?.scrollTo({ top: ref.current.scrollHeight })
  }
  /** Stays at a place, which late rendering may move, until the reader does something. */
  const holdAt = (scroll: () => void) => {
    follows.current = false
    hold.current = scroll
    scroll()
  }
  /** A row the reader opens stays in place. */
  const onClickCapture = (event: { target: EventTarget }) => {
    if (event.target instanceof Element && event.target.closest('summary')) follows.current = false
  }
  const handlers = {
    onScroll,
    onClickCapture,
    onWheel: release,
    onPointerDown: release,
    onTouchMove: release,
    onKeyDown: release,
  }
  return { ref, isAtEnd, scrollToEnd, holdAt, handlers }
}
