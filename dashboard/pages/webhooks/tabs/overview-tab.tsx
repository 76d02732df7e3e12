import { Link } from '@tanstack/react-router'
import { Code } from '../../../components/code.tsx'
import { Copy } from '../../../components/copy.tsx'
import { Section } from '../../../components/section.tsx'
import { Samples } from '../samples/samples.tsx'
import { eventFilterLabel, sourceLabel } from '../webhook-labels.ts'
import type { Webhook } from '../webhooks-queries.ts'
import { DetailList, DetailRow } from './detail-list.tsx'
import { HealthSection } from './health-section.tsx'
import { SignatureRow } from './signature-row.tsx'
import { StatusBanner } from './status-banner.tsx'
import type { TabProps } from './tab-props.ts'

/** Health, URLs, and code samples. */
export function OverviewTab({ webhook, actions }: TabProps) {
  const { id, name, description, forwards, receives, url, receiveUrl, source, events } = webhook
  return (
    <>
      <StatusBanner webhook={webhook} actions={actions} />
      <HealthSection webhook={webhook} />
      <Section title={receives ? 'URLs' : 'Endpoint'} lead={description ?? describeFlow(webhook)}>
        <DetailList>
          {receives && (
            <DetailRow name="Receiving URL">
              <code className="min-w-0 truncate font-mono text-12" title={receiveUrl}>
                {receiveUrl}
              </code>
              <Copy value={receiveUrl} what="receiving URL" />
            </DetailRow>
          )}
          <DetailRow name={receives ? 'Forwarding URL' : 'Endpoint URL'}>
            {forwards ? (
              <>
                <code className="min-w-0 truncate font-mono text-12" title={url}>
                  {url}
                </code>
                <Copy value={url} what={receives ? 'forwarding URL' : 'endpoint URL'} />
              </>
            ) : (
              <span className="text-neutral-11">
                None.{' '}
                <Link
                  to="/webhooks/$id/$tab"
                  params={{ id, tab: 'settings' }}
                  className="text-accent-text underline underline-offset-4"
                >
                  Add forwarding URL
                </Link>
              </span>
            )}
          </DetailRow>
          {receives && (
            <>
              <DetailRow name="Source">
                {source === 'custom' ? 'Atrium and any sender' : sourceLabel(source)}
              </DetailRow>
              <SignatureRow webhook={webhook} />
            </>
          )}
          <DetailRow name="Events">
            <span className="truncate" title={events.join(', ')}>
              {eventFilterLabel(events)}
            </span>
          </DetailRow>
        </DetailList>
      </Section>
      <Section
        title="Code samples"
        lead={
          receives
            ? 'Ready to run. Requests in both directions are signed per the Standard Webhooks spec, so its libraries work too.'
            : 'Ready to run. Deliveries are signed per the Standard Webhooks spec, so its libraries work too.'
        }
      >
        <Samples key={String(forwards)} webhook={webhook} />
      </Section>
      <Section
        title="Local development"
        lead="Forwards the deliveries of this webhook to a local server, with valid signatures."
      >
        <Code command what="command">
          {`npx atrium webhooks listen ${shellQuote(name)} --forward http://localhost:4000/hook`}
        </Code>
      </Section>
    </>
  )
}

function describeFlow({ forwards, receives, source }: Webhook): string {
  if (!receives) return 'Atrium posts its events to your endpoint and retries failed deliveries.'
  if (!forwards) return 'Configure the receiving URL and the secret in the service that sends events.'
  if (source !== 'custom') return 'Incoming requests are forwarded to your endpoint.'
  return 'Atrium events and incoming requests are forwarded to your endpoint.'
}

const shellQuote = (name: string) => (/^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`)
