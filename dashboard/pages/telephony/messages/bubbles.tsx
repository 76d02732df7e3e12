import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Paperclip } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { t } from '../../../../contract/text.ts'
import { formatCost } from '../../../components/amounts.ts'
import { Button } from '../../../components/button.tsx'
import { LINK } from '../../../components/layout/fact.tsx'
import { Time } from '../../../components/time.tsx'
import { fileQuery } from '../../files/files/files-queries.ts'
import { SMS_LABELS } from '../call-labels.ts'
import type { Sms } from '../telephony-queries.ts'

/** Within this distance from the end, the list scrolls to new messages. */
const END_PX = 48

interface BubblesProps {
  /** Oldest first. */
  messages: Sms[]
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

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

function Bubble({ message }: { message: Sms }) {
  const { direction, body, media, status, errorMessage, errorCode, createdAt, runId } = message
  const isOwn = direction === 'outbound'
  const isFailed = status === 'failed' || status === 'undelivered'
  return (
    <article
      aria-label={isOwn ? t`Sent message` : t`Received message`}
      className={`flex flex-col gap-4 ${isOwn ? 'items-end' : 'items-start'}`}
    >
      {media.map((id) => (
        <Media key={id} id={id} />
      ))}
      {body && (
        <p
          className={`wrap-anywhere max-w-5/6 whitespace-pre-wrap rounded-panel px-12 py-8 ${isOwn ? 'bg-selection-wash' : 'bg-neutral-3'} ${isFailed ? 'border border-bad-line' : ''}`}
        >
          {body}
        </p>
      )}
      <p className="flex flex-wrap gap-x-8 text-12 text-neutral-11">
        <Time at={createdAt} />
        {isOwn && (
          <span title={details(message)} className={isFailed ? 'text-bad-text' : ''}>
            {SMS_LABELS[status].label}
          </span>
        )}
        {isOwn && runId && (
          <Link to="/runs/$runId" params={{ runId }} className={LINK}>
            Sent by an agent
          </Link>
        )}
      </p>
      {isFailed && (errorMessage ?? errorCode) && (
        <p className="max-w-5/6 text-12 text-bad-text">{errorMessage ?? t`Carrier error ${errorCode!}`}</p>
      )}
    </article>
  )
}

/** Charged segments, for the tooltip. */
function details({ segments, encoding, cost }: Sms): string {
  const size = `${segments === 1 ? t`1 segment` : t`${segments} segments`}, ${encoding}`
  return cost ? `${size}, ${formatCost(cost)}${cost.isEstimate ? ` (${t`estimate`})` : ''}` : size
}

/** The server displays these types inline. */
const PICTURE = /^image\/(png|jpeg|gif|webp)$/

function Media({ id }: { id: string }) {
  const { data } = useQuery(fileQuery(id))
  const name = data?.name ?? t`File`
  return (
    <Link
      to="/files"
      search={{ file: id }}
      title={name}
      className="flex max-w-filter items-center gap-4 rounded-panel border border-neutral-6 p-4 text-12 text-neutral-11 hover:text-neutral-12"
    >
      {data && PICTURE.test(data.mimeType) ? (
        <img
          src={`/api/v1/files/${id}?download=true&inline=true`}
          alt={name}
          className="max-h-nested-max max-w-full rounded-control"
        />
      ) : (
        <>
          <Paperclip aria-hidden className="icon" />
          <span className="truncate">{name}</span>
        </>
      )}
    </Link>
  )
}
