import { Button } from '../../../components/button.tsx'
import { CopyId } from '../../../components/copy.tsx'
import { Time } from '../../../components/time.tsx'
import { Section } from '../../settings/section.tsx'
import { sourceWord } from '../webhook-labels.ts'
import { AboutForm } from './about-form.tsx'
import { Fact, Facts } from './facts.tsx'
import type { TabProps } from './overview-tab.tsx'

export function SettingsTab({ webhook, acts }: TabProps) {
  const { id, source, status, previousSecretUntil, createdAt } = webhook
  return (
    <>
      <Section title="About" lead="What it is called, where it sends, and what it listens to.">
        <AboutForm webhook={webhook} />
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
          <Button onClick={() => acts.rotate(webhook)}>Make a new secret…</Button>
        </div>
      </Section>
      <Section
        title="Stop it"
        lead="Paused, everything is kept and goes out later. Disabled, senders are refused and nothing is kept for it."
      >
        <div className="flex flex-wrap gap-8">
          {status === 'disabled' ? (
            <Button onClick={() => acts.enable(webhook)}>Enable</Button>
          ) : (
            <>
              <Button onClick={() => acts.pauseOrResume(webhook)}>
                {status === 'paused' ? 'Resume' : 'Pause'}
              </Button>
              <Button onClick={() => acts.disable(webhook)}>Disable…</Button>
            </>
          )}
        </div>
      </Section>
      <Section title="Details">
        <Facts>
          <Fact name="Webhook ID">
            <CopyId id={id} what="webhook ID" />
          </Fact>
          <Fact name="From">{source === 'custom' ? 'Atrium, and any sender' : sourceWord(source)}</Fact>
          <Fact name="Created">
            <Time at={createdAt} />
          </Fact>
        </Facts>
      </Section>
      <Section title="Delete" lead="With its address, its secret and its deliveries, for good.">
        <div>
          <Button look="danger" onClick={() => acts.remove(webhook)}>
            Delete webhook…
          </Button>
        </div>
      </Section>
    </>
  )
}
