import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../../contract/text.ts'
import { DEDUP_SECONDS_DEFAULT, DEDUP_SECONDS_MAX } from '../../../contract/webhooks/repetitions.ts'
import { schemeOfSource } from '../../../contract/webhooks/signature-schemes.ts'
import { fieldMessage } from '../../api/explain.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogFooter } from '../../components/dialogs/dialog.tsx'
import { useDiscardQuestion } from '../../components/dialogs/use-discard-question.tsx'
import { FormFailure } from '../../components/failure.tsx'
import { TextField } from '../../components/forms/field.tsx'
import { Segments } from '../../components/layout/segments.tsx'
import { useWebhookMutation } from './actions/use-webhook-mutation.ts'
import { EventTypePicker } from './event-type-picker.tsx'
import { CopySecretDialog } from './samples/samples.tsx'
import { asScheme, DedupField, SchemeField, SecretField, SourceField } from './source-fields.tsx'
import { type WebhookWithSecret, webhookApi } from './webhooks-queries.ts'

const route = getRouteApi('/app/webhooks/list/new')

const DIRECTIONS = [
  { value: 'send', label: t`Outgoing` },
  { value: 'receive', label: t`Incoming` },
] as const

type Direction = (typeof DIRECTIONS)[number]['value']

const DESCRIPTIONS: Record<Direction, string> = {
  send: t`Atrium signs each event, posts it to your endpoint and retries failed deliveries.`,
  receive: t`Atrium creates a URL another service can post to. Requests without a valid signature are rejected.`,
}

export function NewWebhookDialog() {
  const [createdWebhook, setCreatedWebhook] = useState<WebhookWithSecret>()
  const navigate = useNavigate()
  const close = () => navigate({ to: '/webhooks' })
  if (createdWebhook) {
    const open = () => navigate({ to: '/webhooks/$id', params: { id: createdWebhook.id } })
    return <CopySecretDialog webhook={createdWebhook} onDone={open} />
  }
  return <Form onCreated={setCreatedWebhook} onClose={close} />
}

const prefilledWindow = (seconds: string | undefined) =>
  /^\d{1,6}$/.test(seconds ?? '') ? Math.min(Number(seconds), DEDUP_SECONDS_MAX) : DEDUP_SECONDS_DEFAULT

function Form({
  onCreated,
  onClose,
}: {
  onCreated: (webhook: WebhookWithSecret) => void
  onClose: () => void
}) {
  const prefill = route.useSearch()
  const [direction, setDirection] = useState<Direction>(prefill.source ? 'receive' : 'send')
  const [name, setName] = useState(prefill.name ?? '')
  const [url, setUrl] = useState(prefill.url ?? '')
  const [events, setEvents] = useState(prefill.events?.split(',').filter(Boolean) ?? [])
  const [source, setSource] = useState(prefill.source ?? 'custom')
  const [scheme, setScheme] = useState(asScheme(prefill.scheme))
  const [dedupWindowSeconds, setDedupWindowSeconds] = useState(() =>
    prefilledWindow(prefill.dedupWindowSeconds),
  )
  const [secret, setSecret] = useState('')
  const sends = direction === 'send'
  const create = useWebhookMutation(
    () =>
      webhookApi.webhooks.create({
        name,
        url: url.trim() || undefined,
        description: prefill.description,
        ...(sends
          ? { events, receives: false }
          : {
              source,
              // Known sources have a fixed scheme and window.
              ...(schemeOfSource(source) === null && { scheme, dedupWindowSeconds }),
              secret: secret || undefined,
              ...(prefill.source && { events }),
            }),
      }),
    onCreated,
  )
  const urlError = fieldMessage(create.error, 'url')
  const { form, close, question } = useDiscardQuestion(onClose, create.busy)
  return (
    <>
      <Dialog title="New webhook" onClose={close}>
        <form
          {...form}
          className="flex flex-col gap-16"
          onSubmit={(event) => {
            event.preventDefault()
            if (!create.busy) create.run()
          }}
        >
          <div className="flex flex-col items-start gap-8">
            <Segments label="Direction" value={direction} options={DIRECTIONS} onChoose={setDirection} />
            <p className="text-13 text-neutral-11">{DESCRIPTIONS[direction]}</p>
          </div>
          <FormFailure>{urlError ? undefined : create.failure}</FormFailure>
          <TextField
            label="Name"
            placeholder={sends ? t`Orders to the warehouse` : t`Payments from Stripe`}
            required
            limit={120}
            autoComplete="off"
            data-autofocus
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          {!sends && (
            <>
              <SourceField source={source} onChange={setSource} />
              {schemeOfSource(source) === null && <SchemeField scheme={scheme} onChange={setScheme} />}
              <SecretField secret={secret} onChange={setSecret} />
              {schemeOfSource(source) === null && (
                <DedupField seconds={dedupWindowSeconds} onChange={setDedupWindowSeconds} />
              )}
            </>
          )}
          <TextField
            label={sends ? t`Endpoint URL` : t`Forwarding URL (optional)`}
            hint={sends ? t`Must be publicly reachable.` : t`Received events are posted to this URL.`}
            type="url"
            inputMode="url"
            placeholder="https://example.com/hooks/atrium"
            required={sends}
            limit={2000}
            autoComplete="off"
            value={url}
            error={urlError}
            onChange={(event) => setUrl(event.target.value)}
          />
          {sends && <EventTypePicker selected={events} onChange={setEvents} />}
          <DialogFooter>
            <Button look="quiet" onClick={close}>
              Cancel
            </Button>
            <Button look="primary" type="submit" busy={create.busy}>
              Create webhook
            </Button>
          </DialogFooter>
        </form>
      </Dialog>
      {question}
    </>
  )
}
