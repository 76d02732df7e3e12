import { ArrowDown } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { Button } from '../../button.tsx'
import type { CitedMessage } from '../../citations/open-citation.ts'
import { useOpenConversation } from '../conversation-context.ts'
import type { ConversationState } from '../store/conversation-state.ts'
import type { ShownEntry } from '../view/answers.ts'
import { EntryView } from './entry-view.tsx'
import { PendingMessages } from './pending-messages.tsx'
import { useCitedEntry } from './use-cited-entry.ts'
import { useScroll } from './use-scroll.ts'

interface TranscriptProps {
  state: ConversationState
  entries: readonly ShownEntry[]
  cited?: CitedMessage | undefined
  top: ReactNode
}

export function Transcript({ state, entries, cited, top }: TranscriptProps) {
  const { older, messages, outgoing } = state
  const { ref, handlers, isAtEnd, scrollToEnd, holdAt } = useScroll(messages.sent[0]?.seq ?? 0)
  const citedEntry = useCitedEntry({ cited, state, entries, scroller: ref, holdAt })
  const follow = useEffectEvent(scrollToEnd)
  useEffect(() => {
    if (outgoing.length > 0) follow()
  }, [outgoing.length])
  const chunks = chunksOf(entries)
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={ref}
        data-scroll
        role="log"
        aria-label="Conversation"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be focusable by keyboard.
        tabIndex={0}
        {...handlers}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain outline-none [overflow-anchor:none]"
      >
        <div className="mx-auto flex w-full max-w-column flex-col gap-16 px-16 py-24 @medium:px-24">
          {older.cursor === null ? top : <OlderMessages older={older} />}
          {chunks.map(({ key, entries: part }, index) => (
            <EntryChunk
              key={key}
              isKept={index === chunks.length - 1 || (citedEntry !== undefined && part.includes(citedEntry))}
            >
              {() =>
                part.map((entry) =>
                  entry === citedEntry ? (
                    <div
                      key={entry.key}
                      data-cited
                      aria-current="true"
                      tabIndex={-1}
                      className="-mx-12 rounded-panel bg-selection-wash px-12 py-8 outline-none"
                    >
                      <EntryView entry={entry} isCited />
                    </div>
                  ) : (
                    <EntryView key={entry.key} entry={entry} />
                  ),
                )
              }
            </EntryChunk>
          ))}
          <PendingMessages queued={messages.queued} outgoing={outgoing} />
        </div>
      </div>
      {!isAtEnd && (
        <div className="absolute bottom-8 left-1/2 -translate-x-1/2 rounded-control bg-float shadow-float">
          <Button look="quiet" size="icon" aria-label="Jump to latest message" onClick={scrollToEnd}>
            <ArrowDown aria-hidden className="icon" />
          </Button>
        </div>
      )}
    </div>
  )
}

const AHEAD_PX = 800

/** Loads ahead of the reader. After a failure, the button retries. */
function OlderMessages({ older }: Pick<ConversationState, 'older'>) {
  const { open } = useOpenConversation()
  const ref = useRef<HTMLDivElement>(null)
  const shouldLoad = !older.isLoading && older.error === null
  useEffect(() => {
    const start = ref.current
    if (!start || !shouldLoad) return
    const observer = new IntersectionObserver(
      (intersections) => {
        if (intersections.some(({ isIntersecting }) => isIntersecting)) void open.loadOlder()
      },
      { root: start.closest('[data-scroll]'), rootMargin: `${AHEAD_PX}px 0px` },
    )
    observer.observe(start)
    return () => observer.disconnect()
  }, [shouldLoad, open])
  return (
    <div ref={ref} className="flex h-24 justify-center text-12 text-neutral-11">
      {older.error === null ? (
        t`Loading earlier messages…`
      ) : (
        <Button size="small" onClick={() => void open.loadOlder()}>
          Load earlier messages
        </Button>
      )}
    </div>
  )
}

/**
 * A message's number determines its chunk, so loading older messages never moves an entry to another. With 24 instead
 * of 8, a frame during fast scrolling through 1,000 messages took 184 ms instead of 30 (95th percentile).
 */
const CHUNK_MESSAGES = 8
const CHUNK_AHEAD_PX = 1500

interface Chunk {
  key: number
  entries: ShownEntry[]
}

function chunksOf(entries: readonly ShownEntry[]): Chunk[] {
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
  /** Always rendered: the last one grows during an answer, another is cited. */
  isKept: boolean
  children: () => ReactNode
}

/** Far from the viewport, a gap with the same height replaces the entries. */
function EntryChunk({ isKept, children }: EntryChunkProps) {
  const ref = useRef<HTMLDivElement>(null)
  const [gap, setGap] = useState(0)
  useEffect(() => {
    const chunk = ref.current
    if (!chunk || isKept) return
    const observer = new IntersectionObserver(
      (intersections) => {
        const { isIntersecting, boundingClientRect } = intersections[intersections.length - 1]!
        if (isIntersecting) setGap(0)
        else if (!chunk.contains(document.activeElement)) setGap(boundingClientRect.height)
      },
      { root: chunk.closest('[data-scroll]'), rootMargin: `${CHUNK_AHEAD_PX}px 0px` },
    )
    observer.observe(chunk)
    return () => observer.disconnect()
  }, [isKept])
  const isGap = gap > 0 && !isKept
  return (
    <div ref={ref} style={isGap ? { height: gap } : undefined} className="flex flex-col gap-16">
      {!isGap && children()}
    </div>
  )
}
