import { useQuery } from '@tanstack/react-query'
import { Failure } from '../../../components/failure.tsx'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { QuotaBar, usageQuery } from './quota-bar.tsx'

export function QuotasPage() {
  const usage = useQuery(usageQuery)
  return (
    <Page title="Quotas">
      {usage.isPending && <SkeletonRows />}
      {usage.error && !usage.data && <Failure error={usage.error} onRetry={() => usage.refetch()} />}
      {usage.data && (
        <Section
          title="This organization"
          lead="When a quota is full, delete records or ask a server operator to raise the limit."
        >
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll the focused element only. */}
          <ul aria-label="Quotas" tabIndex={0} className="flex flex-col gap-24">
            {usage.data.items.map((quota) => (
              <li key={quota.name} className="flex">
                <QuotaBar quota={quota} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Page>
  )
}
