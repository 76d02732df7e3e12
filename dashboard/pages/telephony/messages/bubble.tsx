import { Link } from '@tanstack/react-router'
import type { Sms } from '../../../api/telephony/sms.ts'
import { formatCost } from '../../../components/amounts.ts'
import { LINK } from '../../../components/layout/fact.tsx'
import { Time } from '../../../components/time.tsx'
import { SMS_LABELS } from '../call-labels.ts'
import { Media } from './media.tsx'

/** One message: received messages at the left, sent ones at the right. */
export function Bubble({ message }: { message: Sms }) {
  const { direction, body, media, status, errorMessage, errorCode, createdAt, runId } = message
  const isOwn = direction === 'outbound'
  const isFailed = status === 'failed' || status === 'undelivered'
  return (
    <article
      aria-label={isOwn ? 'Sent message' : 'Received message'}
      className={`flex flex-col gap-4 ${isOwn ? 'items-end' : 'items-start'}`}
    >
      {media.map((id) => (
        <Media key={id} id={id} />
      ))}
      {body && (
        <p
          className={`wrap-anywhere max-w-5/6 whitespace-pre-wrap rounded-panel px-12 py-8 ${isOwn ? 'bg-accent-wash' : 'bg-neutral-3'} ${isFailed ? 'border border-bad-line' : ''}`}
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
        <p className="max-w-5/6 text-12 text-bad-text">{errorMessage ?? `Carrier error ${errorCode}`}</p>
      )}
    </article>
  )
}

/** The charged segments, for the tooltip. */
function details({ segments, encoding, cost }: Sms): string {
  const size = `${segments === 1 ? '1 segment' : `${segments} segments`}, ${encoding}`
  return cost ? `${size}, ${formatCost(cost)}${cost.isEstimate ? ' (estimate)' : ''}` : size
}
