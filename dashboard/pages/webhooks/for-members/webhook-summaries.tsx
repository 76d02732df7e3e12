import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Webhook as WebhookIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../../../contract/text.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Status } from '../../../components/status.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { SectionTabs } from '../../../frame/section-tabs.tsx'
import { sourceLabel, WEBHOOK_STATUSES } from '../webhook-labels.ts'
import { WebhookLink } from '../webhook-link.tsx'
import { type WebhookSummary, webhooksQuery } from '../webhooks-queries.ts'

/** As members see them. */
export function WebhookSummaries() {
  const { data, error, isPending, refetch } = useQuery(webhooksQuery)
  const items: WebhookSummary[] = data?.items ?? []
  return (
    <Page title="Webhooks" count={data && items.length} tabs={<SectionTabs of="integrations" />}>
      {isPending && <SkeletonRows rows={4} />}
      {error && !data && <Failure error={error} onRetry={() => refetch()} />}
      {data && items.length === 0 && <NoSummaries />}
      {items.length > 0 && (
        <>
          <AdminsNote>
            Admins and owners manage webhooks and see their URLs, payloads and deliveries.
          </AdminsNote>
          <Table
            label="Webhooks"
            columns={COLUMNS}
            rows={items}
            rowKey={({ id }) => id}
            version={({ updatedAt }) => updatedAt}
          />
        </>
      )}
    </Page>
  )
}

const COLUMNS: Column<WebhookSummary>[] = [
  { header: t`Name`, wide: true, cell: (webhook) => <WebhookLink {...webhook} /> },
  {
    header: t`Source`,
    visibleFrom: 'medium',
    cell: ({ source }) => <span className="text-neutral-11">{sourceLabel(source)}</span>,
  },
  {
    header: t`Status`,
    cell: ({ status }) => (
      <Status meaning={WEBHOOK_STATUSES[status].meaning}>{WEBHOOK_STATUSES[status].label}</Status>
    ),
  },
  timeColumn(t`Created`, ({ createdAt }) => createdAt, { visibleFrom: 'medium' }),
]

const NoSummaries = () => (
  <Empty
    icon={WebhookIcon}
    title="This organization has no webhooks"
    action={
      <Link to="/settings/organization/members" className={buttonClass()}>
        View members
      </Link>
    }
  >
    Webhooks send Atrium events to your servers and receive events from other services. Ask an admin or owner
    to create one.
  </Empty>
)

export function AdminsNote({ children }: { children: ReactNode }) {
  return (
    <p className="border-neutral-6 border-b bg-inset px-16 py-8 text-13 text-neutral-11 md:px-24">
      {children}
    </p>
  )
}
