import type { PaymentDetails } from '../../../api/payments.ts'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'

/** Everything that happened to a payment, oldest first. */
export const PaymentTimeline = ({ entries }: { entries: PaymentDetails['timeline'] }) => (
  <ol aria-label="Timeline" className="flex flex-col gap-12 text-13">
    {entries.map((entry, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever added at the end
      <li key={index} className="flex items-baseline gap-8">
        <span aria-hidden className="size-8 shrink-0 self-center rounded-round bg-neutral-8" />
        <span className="min-w-0 flex-1 break-words">
          {entry.text}
          {entry.userName && (
            <span className="text-neutral-11">
              {' '}
              · <Name>{entry.userName}</Name>
            </span>
          )}
        </span>
        <span className="text-12 text-neutral-11">
          <Time at={entry.at} />
        </span>
      </li>
    ))}
  </ol>
)
