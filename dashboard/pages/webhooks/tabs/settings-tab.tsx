import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { Button } from '../../../components/button.tsx'
import { CopyId } from '../../../components/copy.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextArea, TextField } from '../../../components/field.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { Section } from '../../settings/section.tsx'
import { useAct } from '../acts/act.ts'
import { EventChoice } from '../event-choice.tsx'
import { sourceWord } from '../webhook-words.ts'
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

function AboutForm({ webhook }: Pick<TabProps, 'webhook'>) {
  const { id, source, forwards } = webhook
  const [name, setName] = useState(webhook.name)
  const [url, setUrl] = useState(forwards ? webhook.url : '')
  const [description, setDescription] = useState(webhook.description ?? '')
  const [events, setEvents] = useState(webhook.events)
  const save = useAct(
    () =>
      api.webhooks.update({
        id,
        name: name.trim(),
        url: url.trim() || null,
        description: description.trim() || null,
        events,
      }),
    () => toast('Saved'),
  )
  return (
    <form
      className="flex max-w-reading flex-col gap-16"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.busy) save.run()
      }}
    >
      <FormFailure>{save.failure}</FormFailure>
      <TextField
        label="Name"
        required
        limit={120}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Send on to"
        hint="A public address. Empty, it only receives, and what still waits is called off."
        type="url"
        limit={2000}
        autoComplete="off"
        placeholder="https://example.com/hooks/atrium"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <TextArea
        label="Description"
        rows={2}
        limit={2000}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      {source === 'custom' ? (
        <EventChoice chosen={events} onChange={setEvents} />
      ) : (
        <TextField
          label="Events"
          hint={`The types of ${sourceWord(source)} that pass, separated by commas. Empty, all do.`}
          autoComplete="off"
          spellCheck={false}
          value={events.join(', ')}
          onChange={(event) => setEvents(event.target.value.split(/,\s*/))}
        />
      )}
      <div>
        <Button type="submit" look="primary" busy={save.busy}>
          Save changes
        </Button>
      </div>
    </form>
  )
}
