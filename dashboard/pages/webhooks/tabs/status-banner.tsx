import { Button } from '../../../components/button.tsx'
import { NoticeBanner } from '../../../components/layout/notice-banner.tsx'
import { Time } from '../../../components/time.tsx'
import { setStatus } from '../actions/set-status.ts'
import type { TabProps } from './tab-props.ts'

/** Warns about a disabled or paused webhook and about an expiring secret. */
export function StatusBanner({ webhook, actions }: TabProps) {
  const { status, disabledReason, pausedReason, pausedAt, previousSecretUntil } = webhook
  return (
    <>
      {status === 'disabled' && disabledReason && (
        <NoticeBanner tone="bad">
          Disabled automatically: {disabledReason.charAt(0).toLowerCase() + disabledReason.slice(1)}. Pending
          deliveries were canceled. Fix the endpoint, enable the webhook, then retry failed deliveries.
        </NoticeBanner>
      )}
      {status === 'disabled' && !disabledReason && (
        <NoticeBanner tone="plain">
          Disabled. Incoming requests are rejected and nothing is delivered.
        </NoticeBanner>
      )}
      {pausedReason === 'timeouts' && (
        <NoticeBanner tone="bad" action={<ResumeButton webhook={webhook} />}>
          Paused automatically: the endpoint kept timing out. Events are held and delivered when you resume.
        </NoticeBanner>
      )}
      {pausedReason === 'backlog' && (
        <NoticeBanner tone="bad" action={<ResumeButton webhook={webhook} />}>
          Paused automatically: the endpoint couldn’t keep up. Waiting deliveries are held. To deliver events
          since <Time at={pausedAt!} />, resume the webhook and replay them from the event log.
        </NoticeBanner>
      )}
      {status === 'paused' && !pausedReason && (
        <NoticeBanner tone="warning">
          Paused. Events are stored and delivered when the webhook is resumed.
        </NoticeBanner>
      )}
      {previousSecretUntil && (
        <NoticeBanner
          tone="info"
          action={
            <Button size="small" onClick={() => actions.rotate(webhook)}>
              Rotate secret…
            </Button>
          }
        >
          The previous secret expires <Time at={previousSecretUntil} isExpected />.
        </NoticeBanner>
      )}
    </>
  )
}

const ResumeButton = ({ webhook }: Pick<TabProps, 'webhook'>) => (
  <Button size="small" onClick={() => void setStatus(webhook, 'active')}>
    Resume
  </Button>
)
