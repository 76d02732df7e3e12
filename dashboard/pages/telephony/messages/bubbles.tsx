import { useLayoutEffect, useRef } from 'react'
import type { Sms } from '../../../api/telephony/sms.ts'
import { Button } from '../../../components/button.tsx'
import { Bubble } from './bubble.tsx'

/** Within this distance from the end, the list scrolls to new messages. */
const END_PX = 48

interface BubblesProps {
  /** Oldest first. */
  messages: Sms[]
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** The messages of a conversation. Scrolls to new messages while the reader is at the end. */
export function Bubbles({ messages, list }: BubblesProps) {
  const ref = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const before = useRef({ first: messages[0]?.id, height: 0 })
  useLayoutEffect(() => {
    const scroller = ref.current
    if (!scroller) return
    const { scrollHeight } = scroller
    if (isAtEnd.current) scroller.scrollTop = scrollHeight
    else if (messages[0]?.id !== before.current.first)
      scroller.scrollTop += scrollHeight - before.current.height
    before.current = { first: messages[0]?.id, height: scrollHeight }
  })
  return (
    <div
      ref={ref}
      role="log"
      aria-label="Messages"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be focusable by keyboard.
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < END_PX
      }}
      className="flex min-h-0 flex-1 flex-col gap-12 overflow-y-auto overscroll-contain px-16 py-16 -outline-offset-2 [overflow-anchor:none] md:px-24"
    >
      {list.hasNextPage && (
        <Button
          look="quiet"
          size="small"
          className="self-center"
          busy={list.isFetchingNextPage}
          onClick={() => list.fetchNextPage()}
        >
          Earlier messages
        </Button>
      )}
      {messages.length === 0 && <p className="text-13 text-neutral-11">No messages with this number yet.</p>}
      {messages.map((message) => (
        <Bubble key={message.id} message={message} />
      ))}
    </div>
  )
}
