import { Button } from '../../../components/button.tsx'
import { Time } from '../../../components/time.tsx'
import type { TabProps } from './tab-props.ts'

/** Warns about a disabled or paused webhook and about an expiring secret. */
export function StatusBanner({ webhook, actions }: TabProps) {
  const { status, disabledReason, previousSecretUntil } = webhook
  return (
    <>
      {status === 'disabled' && disabledReason && (
        <Banner tone="border-bad-line bg-bad-wash text-bad-text">
          <p className="min-w-0 flex-1">
            Disabled automatically: {disabledReason.charAt(0).toLowerCase() + disabledReason.slice(1)}.
            Pending deliveries were canceled. Fix the endpoint, enable the webhook, then retry failed
            deliveries.
          </p>
        </Banner>
      )}
      {status === 'disabled' && !disabledReason && (
        <Banner tone="border-neutral-6 bg-neutral-2 text-neutral-11">
          <p>Disabled. Incoming requests are rejected and nothing is delivered.</p>
        </Banner>
      )}
      {status === 'paused' && (
        <Banner tone="border-warning-line bg-warning-wash text-warning-text">
          <p>Paused. Events are stored and delivered when the webhook is resumed.</p>
        </Banner>
      )}
      {previousSecretUntil && (
        <Banner tone="border-info-line bg-info-wash text-info-text">
          <p className="min-w-0 flex-1">
            The previous secret expires <Time at={previousSecretUntil} isExpected />.
          </p>
          <Button size="small" onClick={() => actions.rotate(webhook)}>
            Rotate secret…
          </Button>
        </Banner>
      )}
    </>
  )
}

function Banner({ tone, children }: { tone: string; children: React.ReactNode }) {
  return (
    <div role="status" className={`flex items-center gap-12 border-b px-16 py-8 text-13 md:px-24 ${tone}`}>
      {children}
    </div>
  )
}
