import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogFooter } from '../../components/dialogs/dialog.tsx'
import { FormFailure } from '../../components/failure.tsx'
import { TextField } from '../../components/forms/field.tsx'
import { Select } from '../../components/forms/select.tsx'
import { Segments } from '../../components/layout/segments.tsx'
import { useWebhookMutation } from './actions/use-webhook-mutation.ts'
import { CopySecretDialog } from './copy-secret-dialog.tsx'
import { EventTypePicker } from './event-type-picker.tsx'
import { SOURCES } from './webhook-labels.ts'
import type { WebhookWithSecret } from './webhooks-queries.ts'

const route = getRouteApi('/app/webhooks/list/new')

const PURPOSES = [
  { value: 'send', label: 'Send what happens here' },
  { value: 'receive', label: 'Receive from elsewhere' },
] as const

type Purpose = (typeof PURPOSES)[number]['value']

const LEADS: Record<Purpose, string> = {
  send: 'Each event is posted to your server, signed, and retried until it arrives.',
  receive:
    'You get an address to give to another service. Only requests that prove they know the secret count.',
}

export function NewWebhookDialog() {
  const [made, setMade] = useState<WebhookWithSecret>()
  const navigate = useNavigate()
  const close = () => navigate({ to: '/webhooks' })
  if (made) {
    const open = () => navigate({ to: '/webhooks/$id', params: { id: made.id } })
    return <CopySecretDialog webhook={made} onDone={open} />
  }
  return <Form onMade={setMade} onClose={close} />
}

function Form({ onMade, onClose }: { onMade: (made: WebhookWithSecret) => void; onClose: () => void }) {
  const given = route.useSearch()
  const [purpose, setPurpose] = useState<Purpose>(given.source ? 'receive' : 'send')
  const [name, setName] = useState(given.name ?? '')
  const [url, setUrl] = useState(given.url ?? '')
  const [events, setEvents] = useState(given.events?.split(',').filter(Boolean) ?? [])
  const [source, setSource] = useState(given.source ?? 'custom')
  const [secret, setSecret] = useState('')
  const sends = purpose === 'send'
  const create = useWebhookMutation(
    () =>
      api.webhooks.create({
        name,
        url: url.trim() || undefined,
        description: given.description,
        ...(sends ? { events } : { source, secret: secret || undefined, ...(given.source && { events }) }),
      }),
    onMade,
  )
  return (
    <Dialog title="New webhook" onClose={onClose}>
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (!create.busy) create.run()
        }}
      >
        <div className="flex flex-col items-start gap-8">
          <Segments label="What it is for" value={purpose} options={PURPOSES} onChoose={setPurpose} />
          <p className="text-13 text-neutral-11">{LEADS[purpose]}</p>
        </div>
        <FormFailure>{create.failure}</FormFailure>
        <TextField
          label="Name"
          placeholder={sends ? 'Orders to the warehouse' : 'Payments from Stripe'}
          required
          limit={120}
          autoComplete="off"
          data-autofocus
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {!sends && <Sender source={source} onSource={setSource} secret={secret} onSecret={setSecret} />}
        <TextField
          label={sends ? 'Address' : 'Send on to (optional)'}
          hint={sends ? 'A public address of your server.' : 'Where to post what it receives.'}
          type="url"
          inputMode="url"
          placeholder="https://example.com/hooks/atrium"
          required={sends}
          limit={2000}
          autoComplete="off"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        {sends && <EventTypePicker chosen={events} onChange={setEvents} />}
        <DialogFooter>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={create.busy}>
            Create webhook
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

interface SenderProps {
  source: string
  onSource: (source: string) => void
  secret: string
  onSecret: (secret: string) => void
}

function Sender({ source, onSource, secret, onSecret }: SenderProps) {
  return (
    <>
      <Select label="From" value={source} onChange={(event) => onSource(event.target.value)}>
        {!(source in SOURCES) && <option value={source}>{source}</option>}
        {Object.entries(SOURCES).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <TextField
        label="Secret of the sender (optional)"
        hint="If the other service made one, paste it. Otherwise you get one to give to it."
        autoComplete="off"
        spellCheck={false}
        minLength={16}
        limit={256}
        value={secret}
        onChange={(event) => onSecret(event.target.value)}
      />
    </>
  )
}
