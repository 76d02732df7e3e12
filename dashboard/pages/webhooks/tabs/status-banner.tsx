import { Button } from '../../../components/button.tsx'
import { Time } from '../../../components/time.tsx'
import type { TabProps } from './overview-tab.tsx'

/** What is not as usual with it, and what to do about that. */
export function StatusBanner({ webhook, actions }: TabProps) {
  const { status, disabledReason, previousSecretUntil } = webhook
  return (
    <>
      {status === 'disabled' && disabledReason && (
        <Note tone="border-bad-line bg-bad-wash text-bad-text">
          <p className="min-w-0 flex-1">
            Disabled by itself: {disabledReason.charAt(0).toLowerCase() + disabledReason.slice(1)}. What still
            waited was called off. Once the address works again, enable it and retry what failed.
          </p>
        </Note>
      )}
      {status === 'disabled' && !disabledReason && (
        <Note tone="border-neutral-6 bg-neutral-2 text-neutral-11">
          <p>It is disabled: whoever sends to it is refused, and nothing is sent on.</p>
        </Note>
      )}
      {status === 'paused' && (
        <Note tone="border-warning-line bg-warning-wash text-warning-text">
          <p>Paused. What arrives and what happens is kept, and goes out when it is resumed.</p>
        </Note>
      )}
      {previousSecretUntil && (
        <Note tone="border-info-line bg-info-wash text-info-text">
          <p className="min-w-0 flex-1">
            The secret before this one works too; that ends <Time at={previousSecretUntil} />.
          </p>
          <Button size="small" onClick={() => actions.rotate(webhook)}>
            New secret…
          </Button>
        </Note>
      )}
    </>
  )
}

function Note({ tone, children }: { tone: string; children: React.ReactNode }) {
  return (
    <div role="status" className={`flex items-center gap-12 border-b px-16 py-8 text-13 md:px-24 ${tone}`}>
      {children}
    </div>
  )
}
