import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Closer to the end, the transcript follows new text. */
const END_PX = 48

/**
 * Follows the end while the reader is there; otherwise keeps the position, even when older messages are added above.
 */
export function useScroll(firstSeq: number) {
  const ref = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const [isAtEnd, setAtEnd] = useState(true)
  const previous = useRef({ firstSeq, height: 0 })

  // After every render, since text may have been added anywhere.
  useLayoutEffect(() => {
    const scroller = ref.current
    if (!scroller) return
    const { scrollHeight } = scroller
    if (follows.current) scroller.scrollTop = scrollHeight
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
      if (follows.current) scroller.scrollTop = scroller.scrollHeight
      previous.current.height = scroller.scrollHeight
    })
    observer.observe(content)
    observer.observe(scroller)
    return () => observer.disconnect()
  }, [])

  const onScroll = () => {
    const scroller = ref.current
    if (!scroller) return
    follows.current = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < END_PX
    setAtEnd(follows.current)
  }
  const scrollToEnd = () => {
    follows.current = true
    setAtEnd(true)
    ref.current?.scrollTo({ top: ref.current.scrollHeight })
  }
  /** A row the reader opens stays in place. */
  const onClickCapture = (event: { target: EventTarget }) => {
    if (event.target instanceof Element && event.target.closest('summary')) follows.current = false
  }
  return { ref, isAtEnd, scrollToEnd, handlers: { onScroll, onClickCapture } }
}
