import { type ReactNode, useEffect, useRef, useState } from 'react'

/** The height of a row that was never on the screen, as --row has it; its real height is measured once it was. */
const ROW_PX = 40
const AHEAD_PX = 400

/** Rows drawn together; a table of more than a few chunks draws only those near the screen. */
const CHUNK_ROWS = 25
const CHUNKS_DRAWN_AT_FIRST = 2

interface RowChunksProps<T> {
  rows: readonly T[]
  columnCount: number
  children: (row: T) => ReactNode
}

/** The rows of a table, however many there are. */
export function RowChunks<T>({ rows, columnCount, children }: RowChunksProps<T>) {
  const chunks = Array.from({ length: Math.ceil(rows.length / CHUNK_ROWS) }, (_, index) => index)
  return chunks.map((chunk) => {
    const part = rows.slice(chunk * CHUNK_ROWS, (chunk + 1) * CHUNK_ROWS)
    return (
      <RowChunk
        key={chunk}
        rowCount={part.length}
        first={chunk < CHUNKS_DRAWN_AT_FIRST}
        columnCount={columnCount}
      >
        {() => part.map(children)}
      </RowChunk>
    )
  })
}

interface RowChunkProps {
  rowCount: number
  /** Above the fold: shown before anything is measured. */
  first: boolean
  columnCount: number
  children: () => ReactNode
}

/** Some rows of a long table, which give way to a gap of their height while they are far from the screen. */
function RowChunk({ rowCount, first, columnCount, children }: RowChunkProps) {
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
