import { type ReactNode, useEffect, useRef, useState } from 'react'

/** The height of a row that was never on the screen, as --row has it; its real height is measured once it was. */
const ROW_PX = 40
const AHEAD_PX = 400

interface RowChunkProps {
  rowCount: number
  /** Above the fold: shown before anything is measured. */
  first: boolean
  columnCount: number
  children: () => ReactNode
}

/** Some rows of a long table, which give way to a gap of their height while they are far from the screen. */
export function RowChunk({ rowCount, first, columnCount, children }: RowChunkProps) {
  const ref = useRef<HTMLTableSectionElement>(null)
  const [gap, setGap] = useState(first ? 0 : rowCount * ROW_PX)

  useEffect(() => {
    const body = ref.current
    if (!body) return
    const observer = new IntersectionObserver(
      (entries) => {
        const { isIntersecting, boundingClientRect } = entries[entries.length - 1]!
        if (isIntersecting) setGap(0)
        else if (!body.contains(document.activeElement)) setGap(boundingClientRect.height)
      },
      { root: body.closest('[data-scroll]'), rootMargin: `${AHEAD_PX}px 0px` },
    )
    observer.observe(body)
    return () => observer.disconnect()
  }, [])

  return (
    <tbody ref={ref}>
      {gap > 0 ? (
        <tr aria-hidden>
          <td colSpan={columnCount} style={{ height: gap }} />
        </tr>
      ) : (
        children()
      )}
    </tbody>
  )
}
