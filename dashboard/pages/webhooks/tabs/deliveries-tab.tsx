import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { SearchX, Send } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { dayLabel } from '../../../components/dates.ts'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Filter, FilterBar } from '../../../components/forms/filters.tsx'
import { withNames } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { NarrowStatus } from '../../../components/status.tsx'
import { clockColumn } from '../../../components/table/cells.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { TITLE_LINK, TitleCell } from '../../../components/table/title-cell.tsx'
import { Time } from '../../../components/time.tsx'
import { labelInSentence } from '../../../state/label-in-sentence.ts'
import { RetryOne } from '../event-details/retry-button.tsx'
import { EventMark } from '../log/event-mark.tsx'
import { DELIVERY_STATUSES, deliveryTitle, formatDuration } from '../webhook-labels.ts'
import { type Delivery, deliveriesQuery } from '../webhooks-queries.ts'
import type { TabProps } from './tab-props.ts'

const route = getRouteApi('/app/webhooks/$id')

/** Newest first. A row opens the event with its requests and responses. */
export function DeliveriesTab({ webhook, actions }: TabProps) {
  const { state, event } = route.useSearch()
  // Not the route's own: `.` would be the webhook's first tab.
  const navigate = useNavigate()
  const filter = isStatus(state) ? state : undefined
  const list = useInfiniteQuery({ ...deliveriesQuery(webhook.id, filter), placeholderData: keepPreviousData })
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  if (list.error && !list.data) return <Failure error={list.error} onRetry={() => list.refetch()} />
  return (
    <>
      <FilterBar
        end={
          webhook.forwards && (
            <span className="ml-auto">
              <Button size="small" onClick={() => actions.retry(webhook)}>
                Retry failed deliveries…
              </Button>
            </span>
          )
        }
      >
        <Filter<string>
          label="Status"
          any={t`Any status`}
          value={filter}
          options={Object.entries(DELIVERY_STATUSES).map(([value, { label }]) => ({ value, label }))}
          onChoose={(value) =>
            navigate({ to: '.', search: (previous) => ({ ...previous, state: value }), replace: true })
          }
        />
      </FilterBar>
      {list.isPending && <SkeletonRows />}
      {list.data && items.length === 0 && <NoDeliveries {...{ webhook, actions, filter }} />}
      {items.length > 0 && (
        <>
          <Table
            label="Deliveries"
            columns={deliveryColumns}
            rows={items}
            rowKey={(delivery) => delivery.id}
            version={({ status, attempt }) => `${status} ${attempt}`}
            groupOf={({ createdAt }) => dayLabel(new Date(createdAt), new Date())}
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

function NoDeliveries({ webhook, actions, filter }: TabProps & { filter: Delivery['status'] | undefined }) {
  if (filter) {
    return (
      <Empty
        icon={SearchX}
        title={withNames`No ${labelInSentence(DELIVERY_STATUSES[filter].label)} deliveries`}
      >
        Select another status to see other deliveries.
      </Empty>
    )
  }
  if (!webhook.forwards) {
    return (
      <Empty
        icon={Send}
        title="This webhook has no forwarding URL"
        action={
          <Link
            to="/webhooks/$id/$tab"
            params={{ id: webhook.id, tab: 'settings' }}
            className={buttonClass('primary')}
          >
            Add forwarding URL
          </Link>
        }
      >
        Received events are posted there, signed, and retried on failure.
      </Empty>
    )
  }
  return (
    <Empty
      icon={Send}
      title="No deliveries yet"
      action={
        <Button look="primary" onClick={() => actions.test(webhook)}>
          Send test event
        </Button>
      }
    >
      Each delivery is listed here with its request and response.
    </Empty>
  )
}

const deliveryColumns: Column<Delivery>[] = [
  {
    header: t`Event`,
    wide: true,
    cell: (delivery) => (
      <TitleCell
        face={<EventMark type={delivery.eventType} direction={delivery.eventDirection} />}
        note={<DeliveryNote delivery={delivery} />}
      >
        <Link
          to="."
          search={(previous) => ({ ...previous, event: delivery.eventId })}
          data-row-link={delivery.eventId}
          className={TITLE_LINK}
        >
          {deliveryTitle(delivery)}
        </Link>
      </TitleCell>
    ),
  },
  {
    header: t`Status`,
    cell: ({ status }) => <NarrowStatus {...DELIVERY_STATUSES[status]} />,
  },
  { header: t`Response`, visibleFrom: 'medium', cell: (delivery) => <Response delivery={delivery} /> },
  {
    header: t`Attempts`,
    right: true,
    visibleFrom: 'wide',
    hiddenBesidePanel: true,
    cell: ({ attempt }) => attempt,
  },
  {
    header: t`Duration`,
    right: true,
    visibleFrom: 'wide',
    hiddenBesidePanel: true,
    cell: ({ durationMs }) => (
      <span className="whitespace-nowrap text-neutral-11">
        {durationMs === null ? '–' : formatDuration(durationMs)}
      </span>
    ),
  },
  clockColumn(t`Created`, ({ createdAt }) => createdAt),
  {
    header: t`Actions`,
    headerHidden: true,
    right: true,
    cell: (delivery) =>
      (delivery.status === 'failed' || delivery.status === 'retrying') && (
        <RetryOne eventId={delivery.eventId} delivery={delivery} name={delivery.eventType} />
      ),
  },
]

const TRIGGERS: Partial<Record<Delivery['trigger'], string>> = {
  test: t`Test`,
  replay: t`Replay`,
  manual: t`Manual retry`,
}

function DeliveryNote({ delivery }: { delivery: Delivery }) {
  const { eventType, trigger, createdAt } = delivery
  const hasType = deliveryTitle(delivery) !== eventType
  const how = TRIGGERS[trigger]
  return (
    <>
      {hasType && <code className="font-mono">{eventType}</code>}
      {hasType && how && ' · '}
      {how}
      <span className="@medium:hidden">
        {(hasType || how) && ' · '}
        <Time at={createdAt} />
      </span>
    </>
  )
}

function Response({ delivery: { response, error } }: { delivery: Delivery }) {
  if (response) return <code className="font-mono text-12 text-neutral-11">{response.status}</code>
  return (
    <span title={error ?? undefined} className="block max-w-qr truncate text-12 text-neutral-11">
      {error ?? '–'}
    </span>
  )
}
