import { type ReactNode, useEffect, useRef, useState } from 'react'

/** For rows never rendered; equals --spacing-row. Rendered chunks are measured. */
const ROW_PX = 40
const AHEAD_PX = 400

/** A long table renders only the chunks near the viewport. */
const CHUNK_ROWS = 25
const INITIAL_CHUNKS = 2

interface RowChunksProps<T> {
  rows: readonly T[]
  columnCount: number
  children: (row: T) => ReactNode
}

export function RowChunks<T>({ rows, columnCount, children }: RowChunksProps<T>) {
  const chunks = Array.from({ length: Math.ceil(rows.length / CHUNK_ROWS) }, (_, index) => index)
  return chunks.map((chunk) => {
    const part = rows.slice(chunk * CHUNK_ROWS, (chunk + 1) * CHUNK_ROWS)
    return (
      <RowChunk
        key={chunk}
        rowCount={part.length}
        isInitial={chunk < INITIAL_CHUNKS}
        columnCount={columnCount}
      >
        {() => part.map(children)}
      </RowChunk>
    )
  })
}

interface RowChunkProps {
  rowCount: number
  isInitial: boolean
  columnCount: number
  children: () => ReactNode
}

/** Far from the viewport, a gap with the same height replaces the rows. */
function RowChunk({ rowCount, isInitial, columnCount, children }: RowChunkProps) {
  const ref = useRef<HTMLTableSectionElement>(null)
  const [gap, setGap] = useState(isInitial ? 0 : rowCount * ROW_PX)

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
