import { useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { t } from '../../../contract/text.ts'
import { textWithNames } from '../../../contract/text-with-names.ts'
import type { Citation } from '../../api/conversations.ts'
import { Floating } from '../forms/floating.tsx'
import { Name } from '../name.tsx'
import { compactQuote } from './compact-quote.ts'
import { opens, useOpenCitation } from './open-citation.ts'

const CARD_PX = 360
/** The pointer may cross the gap to the card. */
const LEAVE_MS = 150

interface CitationMarkProps {
  citation: Citation
  number: number
}

/** A number whose card shows what was read. A click opens the file there, or the conversation. */
export function CitationMark({ citation, number }: CitationMarkProps) {
  const button = useRef<HTMLButtonElement>(null)
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const openCitation = useOpenCitation()
  const stay = () => {
    clearTimeout(leaving.current)
    setOpen(true)
  }
  const leave = () => {
    clearTimeout(leaving.current)
    leaving.current = setTimeout(() => setOpen(false), LEAVE_MS)
  }
  return (
    <span onPointerEnter={({ pointerType }) => pointerType === 'mouse' && stay()} onPointerLeave={leave}>
      <button
        ref={button}
        type="button"
        className="citation"
        aria-label={textWithNames`Source ${number}: ${describePlace(citation)}`}
        aria-expanded={isOpen}
        aria-controls={id}
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && stay()}
        onBlur={leave}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !isOpen) return
          event.stopPropagation()
          setOpen(false)
        }}
        onClick={() => (opens(citation) ? openCitation(citation) : setOpen(!isOpen))}
      >
        {number}
      </button>
      {isOpen &&
        createPortal(
          <Floating
            id={id}
            anchor={button}
            label={t`Source ${number}`}
            width={CARD_PX}
            onLeave={() => setOpen(false)}
          >
            <CitationCard citation={citation} />
          </Floating>,
          document.body,
        )}
    </span>
  )
}

function CitationCard({ citation }: { citation: Citation }) {
  const { source, page, heading, quote } = citation
  return (
    <div className="flex flex-col gap-8 overflow-y-auto p-12 text-13">
      <p className="font-medium">
        <Name>{source.name}</Name>
      </p>
      {(page !== null || heading) && (
        <p className="text-12 text-neutral-11">
          {page !== null && t`Page ${page}`}
          {page !== null && heading && ' · '}
          {heading && <bdi>{heading}</bdi>}
        </p>
      )}
      <blockquote className="line-clamp-10 whitespace-pre-line border-neutral-6 border-l-2 pl-8 text-neutral-11 wrap-anywhere">
        {compactQuote(quote)}
      </blockquote>
    </div>
  )
}

export const describePlace = ({ source, page, heading }: Citation): string =>
  [source.name, page === null ? heading : t`page ${page}`].filter(Boolean).join(', ')
