import { Button } from '../../../components/button.tsx'
import { CopyId } from '../../../components/copy.tsx'
import { Time } from '../../../components/time.tsx'
import { Section } from '../../settings/section.tsx'
import { sourceLabel } from '../webhook-labels.ts'
import { DetailList, DetailRow } from './detail-list.tsx'
import { GeneralForm } from './general-form.tsx'
import type { TabProps } from './overview-tab.tsx'

export function SettingsTab({ webhook, actions }: TabProps) {
  const { id, source, status, previousSecretUntil, createdAt } = webhook
  return (
    <>
      <Section title="About" lead="What it is called, where it sends, and what it listens to.">
        <GeneralForm webhook={webhook} />
      </Section>
      <Section
        title="Secret"
        lead="Proves that a request comes from who it says, in both directions. It is shown once, when it is made."
      >
        {previousSecretUntil && (
          <p className="text-13 text-neutral-11">
            The one before works too; that ends <Time at={previousSecretUntil} />.
          </p>
        )}
        <div>
          <Button onClick={() => actions.rotate(webhook)}>Make a new secret…</Button>
        </div>
      </Section>
      <Section
        title="Stop it"
        lead="Paused, everything is kept and goes out later. Disabled, senders are refused and nothing is kept for it."
      >
        <div className="flex flex-wrap gap-8">
          {status === 'disabled' ? (
            <Button onClick={() => actions.enable(webhook)}>Enable</Button>
          ) : (
            <>
              <Button onClick={() => actions.pauseOrResume(webhook)}>
                {status === 'paused' ? 'Resume' : 'Pause'}
              </Button>
              <Button onClick={() => actions.disable(webhook)}>Disable…</Button>
            </>
          )}
        </div>
      </Section>
      <Section title="Details">
        <DetailList>
          <DetailRow name="Webhook ID">
            <CopyId id={id} what="webhook ID" />
          </DetailRow>
          <DetailRow name="From">
            {source === 'custom' ? 'Atrium, and any sender' : sourceLabel(source)}
          </DetailRow>
          <DetailRow name="Created">
            <Time at={createdAt} />
          </DetailRow>
        </DetailList>
      </Section>
      <Section title="Delete" lead="With its address, its secret and its deliveries, for good.">
        <div>
          <Button look="danger" onClick={() => actions.remove(webhook)}>
            Delete webhook…
          </Button>
        </div>
      </Section>
    </>
  )
}
