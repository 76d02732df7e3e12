import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { schemeOfSource } from '../../../../contract/webhooks/signature-schemes.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { Switch } from '../../../components/forms/switch.tsx'
import { toast } from '../../../components/toast.tsx'
import { useWebhookMutation } from '../actions/use-webhook-mutation.ts'
import { EventTypePicker } from '../event-type-picker.tsx'
import { DedupField } from '../source-fields.tsx'
import { sourceLabel } from '../webhook-labels.ts'
import { type Webhook, webhookApi } from '../webhooks-queries.ts'

export function GeneralForm({ webhook }: { webhook: Webhook }) {
  const { id, source } = webhook
  const [name, setName] = useState(webhook.name)
  const [url, setUrl] = useState(forwardingUrlOf(webhook) ?? '')
  const [description, setDescription] = useState(webhook.description ?? '')
  const [events, setEvents] = useState(webhook.events)
  const [dedupWindowSeconds, setDedupWindowSeconds] = useState(webhook.dedupWindowSeconds)
  const [receives, setReceives] = useState(webhook.receives)
  const next = {
    name: name.trim(),
    url: url.trim() || null,
    description: description.trim() || null,
    events: events.filter(Boolean).toSorted(),
    dedupWindowSeconds,
    receives,
  }
  const before = {
    name: webhook.name,
    url: forwardingUrlOf(webhook),
    description: webhook.description,
    events: webhook.events,
    dedupWindowSeconds: webhook.dedupWindowSeconds,
    receives: webhook.receives,
  }
  const isChanged = JSON.stringify(next) !== JSON.stringify(before)
  const save = useWebhookMutation(
    () => webhookApi.webhooks.update({ id, ...next }),
    (saved) => {
      // The server normalizes the URL and event types.
      setUrl(forwardingUrlOf(saved) ?? '')
      setEvents(saved.events)
      toast(t`Saved`)
    },
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
        label={receives ? t`Forwarding URL` : t`Endpoint URL`}
        hint={
          receives
            ? t`Must be publicly reachable. Without it, the webhook only receives and pending deliveries are canceled.`
            : t`Must be publicly reachable.`
        }
        type="url"
        required={!receives}
        limit={2000}
        autoComplete="off"
        placeholder="https://example.com/hooks/atrium"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      {source === 'custom' && webhook.forwards && (
        <Switch
          label="Also accept requests"
          description="Gives the webhook a receiving URL. Requests to it are forwarded too."
          checked={receives}
          onChange={setReceives}
        />
      )}
      <TextArea
        label="Description"
        rows={2}
        limit={2000}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      {source === 'custom' ? (
        <EventTypePicker selected={events} onChange={setEvents} />
      ) : (
        <EventTypesField source={source} names={events} onChange={setEvents} />
      )}
      {receives && schemeOfSource(source) === null && (
        <DedupField seconds={dedupWindowSeconds} onChange={setDedupWindowSeconds} />
      )}
      <div>
        <Button type="submit" busy={save.busy} disabled={!isChanged}>
          Save changes
        </Button>
      </div>
    </form>
  )
}

interface EventTypesFieldProps {
  source: string
  names: string[]
  onChange: (names: string[]) => void
}

/** Atrium doesn't know a provider's event types, so they're entered as text. */
function EventTypesField({ source, names, onChange }: EventTypesFieldProps) {
  const [text, setText] = useState(names.join(', '))
  return (
    <TextField
      label="Events"
      hint={t`${sourceLabel(source)} event types to forward, separated by commas. Leave empty for all.`}
      placeholder="invoice.paid, customer.*"
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        onChange(event.target.value.split(',').map((name) => name.trim()))
      }}
    />
  )
}

const forwardingUrlOf = ({ forwards, url }: Webhook) => (forwards ? url : null)
