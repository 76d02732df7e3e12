import { Link } from '@tanstack/react-router'
import { Code } from '../../../components/code.tsx'
import { Copy } from '../../../components/copy.tsx'
import { Section } from '../../settings/section.tsx'
import type { WebhookActions } from '../actions/use-webhook-actions.tsx'
import { Samples } from '../samples/samples.tsx'
import { eventFilterLabel, sourceLabel } from '../webhook-labels.ts'
import type { Webhook } from '../webhooks-queries.ts'
import { DetailList, DetailRow } from './detail-list.tsx'
import { HealthSection } from './health-section.tsx'
import { StatusBanner } from './status-banner.tsx'

export interface TabProps {
  webhook: Webhook
  actions: WebhookActions
}

/** How it does, where it is reached, where it sends, and programs to begin with. */
export function OverviewTab({ webhook, actions }: TabProps) {
  const { id, name, description, forwards, url, receiveUrl, source, events } = webhook
  return (
    <>
      <StatusBanner webhook={webhook} actions={actions} />
      <HealthSection webhook={webhook} />
      <Section title="Addresses" lead={description ?? purposeOf(webhook)}>
        <DetailList>
          <DetailRow name="Receives at">
            <code className="min-w-0 truncate font-mono text-12" title={receiveUrl}>
              {receiveUrl}
            </code>
            <Copy value={receiveUrl} what="receive address" />
          </DetailRow>
          <DetailRow name="Sends on to">
            {forwards ? (
              <>
                <code className="min-w-0 truncate font-mono text-12" title={url}>
                  {url}
                </code>
                <Copy value={url} what="address" />
              </>
            ) : (
              <span className="text-neutral-11">
                Nowhere.{' '}
                <Link
                  to="/webhooks/$id/$tab"
                  params={{ id, tab: 'settings' }}
                  className="text-accent-text underline underline-offset-4"
                >
                  Add an address
                </Link>
              </span>
            )}
          </DetailRow>
          <DetailRow name="From">
            {source === 'custom' ? 'Atrium, and any sender' : sourceLabel(source)}
          </DetailRow>
          <DetailRow name="Events">
            <span className="truncate" title={events.join(', ')}>
              {eventFilterLabel(events)}
            </span>
          </DetailRow>
        </DetailList>
      </Section>
      <Section
        title="Samples"
        lead="Programs that work as they are. Both directions are signed the way Standard Webhooks has it, so its libraries work too."
      >
        <Samples key={String(forwards)} webhook={webhook} />
      </Section>
      <Section
        title="On your own machine"
        lead="Follows what this webhook sends, and posts it to a program beside you, with valid signatures."
      >
        <Code command what="command">
          {`atrium webhooks listen ${quoted(name)} --forward http://localhost:4000/hook`}
        </Code>
      </Section>
    </>
  )
}

function purposeOf({ forwards, source }: Webhook): string {
  if (!forwards) return 'Give this address to whoever should send here, together with the secret.'
  if (source !== 'custom') return 'What is sent to the first is sent on to the second.'
  return 'What happens here, and what others send to the first, is sent on to the second.'
}

/** As a shell wants it. */
const quoted = (name: string) => (/^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`)
