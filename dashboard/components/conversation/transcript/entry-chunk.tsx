import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Entry } from '../view/entries.ts'

/**
 * The number of messages in a chunk. The number of a message determines its chunk, so that loading older messages never
 * moves an entry to another chunk. With 24 instead of 8, a frame of fast scrolling through 1,000 messages took 184 ms
 * instead of 30 (95th percentile).
 */
const CHUNK_MESSAGES = 8
const AHEAD_PX = 1500

export interface Chunk {
  key: number
  entries: Entry[]
}

export function chunksOf(entries: readonly Entry[]): Chunk[] {
  const chunks: Chunk[] = []
  for (const entry of entries) {
    const key = Math.floor(entry.seq / CHUNK_MESSAGES)
    const last = chunks.at(-1)
    if (last && last.key >= key) last.entries.push(entry)
    else chunks.push({ key, entries: [entry] })
  }
  return chunks
}

interface EntryChunkProps {
  /** The newest chunk is always rendered: it grows while an agent answers. */
  isLast: boolean
  children: () => ReactNode
}

/** Entries of a long conversation, replaced by a gap of the same height while they are far from the viewport. */
export function EntryChunk({ isLast, children }: EntryChunkProps) {
  const ref = useRef<HTMLDivElement>(null)
  const [gap, setGap] = useState(0)
  useEffect(() => {
    const chunk = ref.current
    if (!chunk || isLast) return
    const observer = new IntersectionObserver(
      (intersections) => {
        const { isIntersecting, boundingClientRect } = intersections[intersections.length - 1]!
        if (isIntersecting) setGap(0)
        else if (!chunk.contains(document.activeElement)) setGap(boundingClientRect.height)
      },
      { root: chunk.closest('[data-scroll]'), rootMargin: `${AHEAD_PX}px 0px` },
    )
    observer.observe(chunk)
    return () => observer.disconnect()
  }, [isLast])
  const isGap = gap > 0 && !isLast
  return (
    <div ref={ref} style={isGap ? { height: gap } : undefined} className="flex flex-col gap-16">
      {!isGap && children()}
    </div>
  )
}
