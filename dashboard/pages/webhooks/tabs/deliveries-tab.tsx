import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { SearchX, Send } from 'lucide-react'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { InlineSelect } from '../../../components/forms/inline-select.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Table } from '../../../components/table/table.tsx'
import { DELIVERY_STATUSES } from '../webhook-labels.ts'
import { type Delivery, deliveriesQuery } from '../webhooks-queries.ts'
import { deliveryColumns } from './delivery-columns.tsx'
import type { TabProps } from './overview-tab.tsx'

const route = getRouteApi('/app/webhooks/$id')

/** What it sent, newest first; each opens with its requests and responses. */
export function DeliveriesTab({ webhook, actions }: TabProps) {
  const { state, event } = route.useSearch()
  const navigate = route.useNavigate()
  const known = isStatus(state) ? state : undefined
  const list = useInfiniteQuery({ ...deliveriesQuery(webhook.id, known), placeholderData: keepPreviousData })
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  if (list.error && !list.data) return <Failure error={list.error} onRetry={() => list.refetch()} />
  return (
    <>
      <div className="flex flex-wrap items-center gap-8 border-neutral-6 border-b px-16 py-8 md:px-24">
        <InlineSelect
          small
          label="Status"
          value={known ?? ''}
          options={[
            { value: '', label: 'Any status' },
            ...Object.entries(DELIVERY_STATUSES).map(([value, { label }]) => ({ value, label })),
          ]}
          onChoose={(value) =>
            navigate({ to: '.', search: (now) => ({ ...now, state: value || undefined }), replace: true })
          }
        />
        {webhook.forwards && (
          <span className="ml-auto">
            <Button size="small" onClick={() => actions.retry(webhook)}>
              Retry what failed…
            </Button>
          </span>
        )}
      </div>
      {list.isPending && <SkeletonRows />}
      {list.data && items.length === 0 && <Nothing {...{ webhook, actions, known }} />}
      {items.length > 0 && (
        <>
          <Table
            label="Deliveries"
            columns={deliveryColumns}
            rows={items}
            rowKey={(delivery) => delivery.id}
            stamp={({ status, attempt }) => `${status} ${attempt}`}
            currentKey={items.find(({ eventId }) => eventId === event)?.id}
          />
          <ScrollEnd list={list} loaded={items.length} />
        </>
      )}
    </>
  )
}

const isStatus = (status: string | undefined): status is Delivery['status'] =>
  status !== undefined && Object.hasOwn(DELIVERY_STATUSES, status)

function Nothing({ webhook, actions, known }: TabProps & { known: Delivery['status'] | undefined }) {
  if (known) {
    return (
      <Empty icon={SearchX} title={`No delivery is ${DELIVERY_STATUSES[known].label.toLowerCase()}`}>
        Choose another status to see the others.
      </Empty>
    )
  }
  if (!webhook.forwards) {
    return (
      <Empty
        icon={Send}
        title="This webhook sends nothing on"
        action={
          <Link
            to="/webhooks/$id/$tab"
            params={{ id: webhook.id, tab: 'settings' }}
            className={buttonClass('primary')}
          >
            Add an address
          </Link>
        }
      >
        With an address, every event is posted there, signed, and retried until it arrives.
      </Empty>
    )
  }
  return (
    <Empty
      icon={Send}
      title="Every request it sends will be listed here, with the answer"
      action={
        <Button look="primary" onClick={() => actions.test(webhook)}>
          Send a test
        </Button>
      }
    >
      Nothing that it listens to has happened yet.
    </Empty>
  )
}
