import { useInfiniteQuery } from '@tanstack/react-query'
import { schemeOfSource } from '../../../../contract/webhooks/signature-schemes.ts'
import { Button } from '../../../components/button.tsx'
import { toast } from '../../../components/toast.tsx'
import { capitalize } from '../../../state/capitalize.ts'
import { useWebhookMutation } from '../actions/use-webhook-mutation.ts'
import { schemeLabel } from '../webhook-labels.ts'
import { webhookApi } from '../webhooks-api.ts'
import { eventsQuery, type Webhook } from '../webhooks-queries.ts'
import { DetailRow } from './detail-list.tsx'

/** The signature scheme that the webhook accepts. Suggests requiring the scheme of the last verified event. */
export function SignatureRow({ webhook }: { webhook: Webhook }) {
  const { id, scheme, source } = webhook
  const isAny = scheme === 'auto'
  const filter = { webhookId: id, direction: 'inbound' as const }
  const events = useInfiniteQuery({ ...eventsQuery(filter), enabled: isAny }).data?.pages[0]?.items ?? []
  const usedScheme = events.find(({ verification }) => verification?.result === 'valid')?.verification?.scheme
  const sourceScheme = schemeOfSource(source)
  const suggestedScheme = usedScheme ? (sourceScheme ?? (usedScheme as Webhook['scheme'])) : undefined
  const next = isAny ? suggestedScheme : 'auto'
  const save = useWebhookMutation(
    () => webhookApi.webhooks.update({ id, scheme: next }),
    () => toast('Saved'),
    (message) => toast(message),
  )
  return (
    <DetailRow name="Signature">
      <span className="min-w-0 flex-1">
        {isAny ? 'Any scheme' : capitalize(schemeLabel(scheme))}
        {isAny && usedScheme && suggestedScheme && (
          <span className="block text-neutral-11">
            Last event verified by {schemeLabel(usedScheme)}. Require {schemeLabel(suggestedScheme)} to refuse
            all others.
          </span>
        )}
      </span>
      {isAny && suggestedScheme && (
        <Button size="small" busy={save.busy} onClick={save.run}>
          Require
        </Button>
      )}
      {!isAny && sourceScheme === null && (
        <Button size="small" look="quiet" busy={save.busy} onClick={save.run}>
          Accept any scheme
        </Button>
      )}
    </DetailRow>
  )
}
