import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { FileSignature, Plus } from 'lucide-react'
import { mandatesQuery } from '../../../api/payments.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { BillingTabs } from './billing-tabs.tsx'
import { MandateRow } from './mandate-row.tsx'

/** The limits within which keys, agents and projects may pay without approval. */
export function MandatesPage() {
  const { data, error, isPending, refetch } = useQuery(mandatesQuery)
  const navigate = useNavigate()
  const create = () => void navigate({ to: '/billing/mandates/new' })
  usePageKeys([{ label: 'New mandate', keys: 'c', icon: Plus, run: create }])
  const activeCount = data?.items.filter(({ state }) => state === 'active').length ?? 0
  return (
    <Page title="Billing" count={activeCount || undefined} tabs={<BillingTabs />} action={<NewMandate />}>
      {isPending && <SkeletonRows />}
      {error && !data && <Failure error={error} onRetry={() => refetch()} />}
      {data?.items.length === 0 && (
        <Empty icon={FileSignature} title="No mandates yet" action={<NewMandate />}>
          A mandate lets an API key, an agent or the agents of a project pay without asking, up to amounts per
          payment, per day and in total. Everything else waits for your approval.
        </Empty>
      )}
      {data && data.items.length > 0 && (
        <ul aria-label="Mandates" className="flex max-w-extra-wide flex-col px-16 md:px-24">
          {data.items.map((mandate) => (
            <MandateRow key={mandate.id} mandate={mandate} />
          ))}
        </ul>
      )}
      <Outlet />
    </Page>
  )
}

const NewMandate = () => (
  <Link to="/billing/mandates/new" className={buttonClass('primary')}>
    New mandate
  </Link>
)
