import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { schemeOfSource } from '../../../../contract/webhooks/signature-schemes.ts'
import { Button } from '../../../components/button.tsx'
import { Code } from '../../../components/code.tsx'
import { Copy } from '../../../components/copy.tsx'
import { NoticeBanner } from '../../../components/layout/notice-banner.tsx'
import { Section } from '../../../components/section.tsx'
import { localizeSentence } from '../../../components/server-sentences.ts'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { capitalize } from '../../../state/label-in-sentence.ts'
import { setStatus, useWebhookMutation } from '../actions/use-webhook-mutation.ts'
import { Samples } from '../samples/samples.tsx'
import { eventFilterLabel, schemeLabel, sourceLabel } from '../webhook-labels.ts'
import { eventsQuery, type Webhook, webhookApi } from '../webhooks-queries.ts'
import { DetailList, DetailRow } from './detail-list.tsx'
import { HealthSection } from './health-section.tsx'
import type { TabProps } from './tab-props.ts'

export function OverviewTab({ webhook, actions }: TabProps) {
  const { id, name, description, forwards, receives, url, receiveUrl, source, events } = webhook
  return (
    <>
      <StatusBanner webhook={webhook} actions={actions} />
      <HealthSection webhook={webhook} />
      <Section title={receives ? t`URLs` : t`Endpoint`} lead={description ?? describeFlow(webhook)}>
        <DetailList>
          {receives && (
            <DetailRow label="Receiving URL">
              <code className="min-w-0 truncate font-mono text-12" title={receiveUrl}>
                {receiveUrl}
              </code>
              <Copy value={receiveUrl} what="receiving URL" />
            </DetailRow>
          )}
          <DetailRow label={receives ? t`Forwarding URL` : t`Endpoint URL`}>
            {forwards ? (
              <>
                <code className="min-w-0 truncate font-mono text-12" title={url}>
                  {url}
                </code>
                <Copy value={url} what={receives ? t`forwarding URL` : t`endpoint URL`} />
              </>
            ) : (
              <span className="text-neutral-11">
                None.{' '}
                <Link
                  to="/webhooks/$id/$tab"
                  params={{ id, tab: 'settings' }}
                  className="text-selection-text underline underline-offset-4"
                >
                  Add forwarding URL
                </Link>
              </span>
            )}
          </DetailRow>
          {receives && (
            <>
              <DetailRow label="Source">
                {source === 'custom' ? t`Atrium and any sender` : sourceLabel(source)}
              </DetailRow>
              <SignatureRow webhook={webhook} />
            </>
          )}
          <DetailRow label="Events">
            <span className="truncate" title={events.join(', ')}>
              {eventFilterLabel(events)}
            </span>
          </DetailRow>
        </DetailList>
      </Section>
      <Section
        title="Code samples"
        lead={
          receives && source === 'custom'
            ? t`Ready to run. Requests in both directions are signed per the Standard Webhooks spec, so its libraries work too.`
            : t`Ready to run. Deliveries are signed per the Standard Webhooks spec, so its libraries work too.`
        }
      >
        <Samples key={String(forwards)} webhook={webhook} />
      </Section>
      <Section
        title="Local development"
        lead="Forwards this webhook’s deliveries to a local server, with valid signatures."
      >
        <Code command what="command">
          {`npx atrium webhooks listen ${shellQuote(name)} --forward http://localhost:4000/hook`}
        </Code>
      </Section>
    </>
  )
}

function describeFlow({ forwards, receives, source }: Webhook): string {
  if (!receives) return t`Atrium posts its events to your endpoint and retries failed deliveries.`
  if (!forwards) return t`Add the receiving URL and secret to the service that sends events.`
  if (source !== 'custom') return t`Incoming requests are forwarded to your endpoint.`
  return t`Atrium events and incoming requests are forwarded to your endpoint.`
}

const shellQuote = (name: string) => (/^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`)

/** Suggests requiring the last verified event's scheme. */
function SignatureRow({ webhook }: { webhook: Webhook }) {
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
    () => toast(t`Saved`),
    (message) => toast(message),
  )
  return (
    <DetailRow label="Signature">
      <span className="min-w-0 flex-1">
        {isAny ? t`Any scheme` : capitalize(schemeLabel(scheme))}
        {isAny && usedScheme && suggestedScheme && (
          <span className="block text-neutral-11">
            Last event verified by {schemeLabel(usedScheme)}. Require {schemeLabel(suggestedScheme)} to reject
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

function StatusBanner({ webhook, actions }: TabProps) {
  const { status, disabledReason, pausedReason, pausedAt, previousSecretUntil } = webhook
  return (
    <>
      {status === 'disabled' && disabledReason && (
        <NoticeBanner tone="bad">
          Disabled automatically. {localizeSentence(disabledReason)}. Pending deliveries were canceled. Fix
          the endpoint, enable the webhook, then retry failed deliveries.
        </NoticeBanner>
      )}
      {status === 'disabled' && !disabledReason && (
        <NoticeBanner tone="plain">
          Disabled. Incoming requests are rejected and nothing is delivered.
        </NoticeBanner>
      )}
      {pausedReason === 'timeouts' && (
        <NoticeBanner tone="bad" action={<ResumeButton webhook={webhook} />}>
          Paused automatically: the endpoint kept timing out. Events are held and delivered when you resume.
        </NoticeBanner>
      )}
      {pausedReason === 'backlog' && (
        <NoticeBanner tone="bad" action={<ResumeButton webhook={webhook} />}>
          Paused automatically: the endpoint couldn’t keep up. Waiting deliveries are held. To deliver events
          since <Time at={pausedAt!} />, resume the webhook and replay them from the event log.
        </NoticeBanner>
      )}
      {status === 'paused' && !pausedReason && (
        <NoticeBanner tone="warning">
          Paused. Events are stored and delivered when the webhook resumes.
        </NoticeBanner>
      )}
      {previousSecretUntil && (
        <NoticeBanner
          tone="info"
          action={
            <Button size="small" onClick={() => actions.rotate(webhook)}>
              Rotate secret…
            </Button>
          }
        >
          The previous secret expires <Time at={previousSecretUntil} isExpected />.
        </NoticeBanner>
      )}
    </>
  )
}

const ResumeButton = ({ webhook }: Pick<TabProps, 'webhook'>) => (
  <Button size="small" onClick={() => void setStatus(webhook, 'active')}>
    Resume
  </Button>
)
