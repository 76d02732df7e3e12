import { Link } from '@tanstack/react-router'
import { LOCALE, t } from '../../../../contract/text.ts'
import { Time } from '../../../components/time.tsx'
import { formatRate, summarizeHealth } from '../health.ts'
import { HealthBars } from '../health-bars.tsx'
import type { Webhook } from '../webhooks-queries.ts'

export function HealthSection({ webhook }: { webhook: Webhook }) {
  const { id, lastDeliveryAt, deliveryCount } = webhook
  const { succeeded, failed, failureRate } = summarizeHealth(webhook)
  return (
    <section aria-label="Health" className="border-neutral-6 border-b px-16 py-24 md:px-24">
      <div className="flex max-w-extra-wide flex-wrap items-end gap-x-48 gap-y-16">
        <dl className="flex flex-wrap gap-x-32 gap-y-16">
          <Figure label="Delivered, 24 h">{succeeded.toLocaleString(LOCALE)}</Figure>
          <Figure label="Failed attempts, 24 h" bad={failed > 0}>
            {failed > 0 ? (
              <Link
                to="/webhooks/$id/$tab"
                params={{ id, tab: 'deliveries' }}
                search={{ state: 'failed' }}
                className="underline-offset-4 hover:underline"
              >
                {failed.toLocaleString(LOCALE)}
              </Link>
            ) : (
              '0'
            )}
          </Figure>
          <Figure label="Failure rate" bad={Boolean(failureRate)}>
            {formatRate(failureRate)}
          </Figure>
          <Figure label="Total delivered">{deliveryCount.toLocaleString(LOCALE)}</Figure>
          <Figure label="Last attempt">{lastDeliveryAt ? <Time at={lastDeliveryAt} /> : t`Never`}</Figure>
        </dl>
        <div className="min-w-filter flex-1">
          <HealthBars webhook={webhook} className="block h-dialog-footer w-full" />
          <p aria-hidden className="mt-4 flex justify-between text-12 text-neutral-11">
            <span>24 hours ago</span>
            <span className="flex gap-16 max-sm:hidden">
              <LegendItem tone="bg-accent-text">Delivered</LegendItem>
              <LegendItem tone="bg-bad-text">Failed</LegendItem>
            </span>
            <span>Now</span>
          </p>
        </div>
      </div>
    </section>
  )
}

function Figure({ label, bad, children }: { label: string; bad?: boolean; children: React.ReactNode }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="text-12 text-neutral-11">{label}</dt>
      <dd className={`font-strong text-20 tabular-nums ${bad ? 'text-bad-text' : ''}`}>{children}</dd>
    </div>
  )
}

const LegendItem = ({ tone, children }: { tone: string; children: string }) => (
  <span className="flex items-center gap-4">
    <span className={`size-8 rounded-round ${tone}`} />
    {children}
  </span>
)
