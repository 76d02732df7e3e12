import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { withNames } from '../../../components/name.tsx'
import { eventDescription } from '../event-description.ts'
import { eventTypesQuery, type Webhook, webhookApi } from '../webhooks-queries.ts'
import { useWebhookMutation } from './use-webhook-mutation.ts'

interface TestDialogProps {
  webhook: Webhook
  /** Preselected event type. */
  type?: string | undefined
  onClose: () => void
}

export function TestDialog({ webhook, type, onClose }: TestDialogProps) {
  const { id, name, forwards, url } = webhook
  const [eventType, setEventType] = useState(type || 'webhook.test')
  const types = useQuery(eventTypesQuery).data?.items ?? []
  const navigate = useNavigate()
  const send = useWebhookMutation(
    () => webhookApi.webhooks.test({ webhookId: id, eventType }),
    ({ eventId }) => {
      onClose()
      void navigate({
        to: '/webhooks/$id/$tab',
        params: { id, tab: forwards ? 'deliveries' : 'events' },
        search: { event: eventId },
      })
    },
  )
  return (
    <FormDialog
      title={withNames`Send test event to ${name}`}
      action="Send test event"
      lead={
        forwards
          ? t`Sends a signed sample event to ${hostOf(url)}, ignoring event filters.`
          : t`This webhook has no forwarding URL, so the event only appears in its log.`
      }
      failure={send.failure}
      busy={send.busy}
      onSubmit={send.run}
      onClose={onClose}
    >
      <Select
        label="Event type"
        hint={eventDescription(eventType) ?? types.find((each) => each.name === eventType)?.description}
        value={eventType}
        data-autofocus
        onChange={(event) => setEventType(event.target.value)}
      >
        {types.length === 0 && <option value="webhook.test">webhook.test</option>}
        {types.map((each) => (
          <option key={each.name} value={each.name}>
            {each.name}
          </option>
        ))}
      </Select>
    </FormDialog>
  )
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url)
