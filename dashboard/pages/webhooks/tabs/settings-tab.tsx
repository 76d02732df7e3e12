import { t } from '../../../../contract/text.ts'
import { Button } from '../../../components/button.tsx'
import { CopyId } from '../../../components/copy.tsx'
import { Section } from '../../../components/section.tsx'
import { Time } from '../../../components/time.tsx'
import { sourceLabel } from '../webhook-labels.ts'
import { DetailList, DetailRow } from './detail-list.tsx'
import { GeneralForm } from './general-form.tsx'
import type { TabProps } from './tab-props.ts'

export function SettingsTab({ webhook, actions }: TabProps) {
  const { id, receives, source, status, previousSecretUntil, createdAt } = webhook
  return (
    <>
      <Section title="General">
        <GeneralForm webhook={webhook} />
      </Section>
      <Section
        title="Signing secret"
        lead={
          receives
            ? t`Signs requests in both directions. Shown only once, when created.`
            : t`Signs deliveries to your endpoint. Shown only once, when created.`
        }
      >
        {previousSecretUntil && (
          <p className="text-13 text-neutral-11">
            The previous secret expires <Time at={previousSecretUntil} isExpected />.
          </p>
        )}
        <div>
          <Button onClick={() => actions.rotate(webhook)}>Rotate secret…</Button>
        </div>
      </Section>
      <Section
        title="Pause or disable"
        lead={
          receives
            ? t`A paused webhook stores events and delivers them when resumed. A disabled webhook rejects requests and stores nothing.`
            : t`A paused webhook stores events and delivers them when resumed. A disabled webhook gets no events.`
        }
      >
        <div className="flex flex-wrap gap-8">
          {status === 'disabled' ? (
            <Button onClick={() => actions.enable(webhook)}>Enable</Button>
          ) : (
            <>
              <Button onClick={() => actions.pauseOrResume(webhook)}>
                {status === 'paused' ? t`Resume` : t`Pause`}
              </Button>
              <Button onClick={() => actions.disable(webhook)}>Disable…</Button>
            </>
          )}
        </div>
      </Section>
      <Section title="Details">
        <DetailList>
          <DetailRow label="Webhook ID">
            <CopyId id={id} what="webhook ID" />
          </DetailRow>
          {receives && (
            <DetailRow label="Source">
              {source === 'custom' ? t`Atrium and any sender` : sourceLabel(source)}
            </DetailRow>
          )}
          <DetailRow label="Created">
            <Time at={createdAt} />
          </DetailRow>
        </DetailList>
      </Section>
      <Section
        title="Delete"
        lead={
          receives
            ? t`Permanently deletes the receiving URL, secret and all deliveries.`
            : t`Permanently deletes the secret and all deliveries.`
        }
      >
        <div>
          <Button look="danger" onClick={() => actions.remove(webhook)}>
            Delete webhook…
          </Button>
        </div>
      </Section>
    </>
  )
}
