import { Link } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { Time } from '../../../components/time.tsx'
import { SMS_LABELS } from '../call-labels.ts'
import { Phone } from '../phone.tsx'
import type { SmsConversation } from '../telephony-queries.ts'

interface ConversationListProps {
  items: SmsConversation[]
  numberId: string | undefined
  peer: string | undefined
  /** With several numbers, each row names its own. */
  showsNumber: boolean
}

export const ConversationList = ({ items, numberId, peer, showsNumber }: ConversationListProps) => (
  <ul aria-label="Conversations">
    {items.map((item) => (
      <Row
        key={`${item.numberId} ${item.peer}`}
        item={item}
        isCurrent={item.numberId === numberId && item.peer === peer}
        showsNumber={showsNumber}
      />
    ))}
  </ul>
)

interface RowProps {
  item: SmsConversation
  isCurrent: boolean
  showsNumber: boolean
}

function Row({ item: { numberId, number, peer, lastMessage, optedOut }, isCurrent, showsNumber }: RowProps) {
  const { status, direction, body, createdAt, media } = lastMessage
  const isFailed = status === 'failed' || status === 'undelivered'
  return (
    <li
      aria-current={isCurrent || undefined}
      className="relative border-neutral-6 border-b px-16 py-8 text-13 hover:bg-hover aria-[current=true]:bg-selection-wash md:pl-24"
    >
      <span className="flex items-baseline gap-8">
        <Link
          to="/phone/messages"
          search={{ number: numberId, peer }}
          data-row-link={`${numberId} ${peer}`}
          className="row-link min-w-0 flex-1 truncate font-medium"
        >
          <Phone>{peer}</Phone>
        </Link>
        <span className="shrink-0 text-12 text-neutral-11">
          <Time at={createdAt} />
        </span>
      </span>
      <span className="block truncate text-neutral-11">
        {direction === 'outbound' && t`Sent: `}
        {body || (media.length > 0 ? t`Picture` : '')}
      </span>
      {(isFailed || optedOut || showsNumber) && (
        <span className="flex gap-8 text-12 text-neutral-11">
          {isFailed && <span className="text-bad-text">{SMS_LABELS[status].label}</span>}
          {optedOut && <span>Opted out</span>}
          {showsNumber && (
            <span className="ml-auto">
              <Phone>{number}</Phone>
            </span>
          )}
        </span>
      )}
    </li>
  )
}
