import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { CreditCard } from 'lucide-react'
import { PAYMENT_STATUSES } from '../../../../contract/billing/payment-options.ts'
import { t } from '../../../../contract/text.ts'
import { type Payment, paymentsQuery } from '../../../api/payments.ts'
import { formatMoney } from '../../../components/amounts.ts'
import { Empty } from '../../../components/empty.tsx'
import { Filter, FilterBar } from '../../../components/forms/filters.tsx'
import { Name } from '../../../components/name.tsx'
import { Status } from '../../../components/status.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import { PagedTable } from '../../../components/table/paged-table.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { BillingTabs } from './billing-tabs.tsx'
import { METHOD_LABELS, PAYMENT_LABELS, parsePaymentStatus } from './payment-labels.ts'

const route = getRouteApi('/app/settings/organization/payments')
const STATUS_OPTIONS = PAYMENT_STATUSES.map((value) => ({ value, label: PAYMENT_LABELS[value].label }))

export function PaymentsPage() {
  const status = parsePaymentStatus(route.useSearch().show)
  const { paymentId } = useParams({ strict: false })
  const list = useInfiniteQuery(paymentsQuery(status))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const waiting = list.data?.pages[0]?.waitingCount ?? 0
  const navigate = useNavigate()
  const choose = (value: Payment['status'] | undefined) =>
    void navigate({
      to: '/settings/organization/payments',
      search: value ? { show: value } : {},
      replace: true,
    })
  return (
    <Page title="Payments" tabs={<BillingTabs />} panel={paymentId && <Outlet />}>
      <FilterBar>
        <Filter
          label="Status"
          any={t`Any status`}
          value={status}
          options={STATUS_OPTIONS}
          onChoose={choose}
        />
        {waiting > 0 && status !== 'requires_approval' && (
          <button
            type="button"
            onClick={() => choose('requires_approval')}
            className="text-13 text-warning-text underline-offset-4 hover:underline"
          >
            {waiting === 1
              ? t`1 payment is waiting for approval`
              : t`${waiting >= 100 ? '99+' : waiting} payments are waiting for approval`}
          </button>
        )}
      </FilterBar>
      <PagedTable
        label="Machine payments"
        list={list}
        columns={PAYMENT_COLUMNS}
        rows={items}
        rowKey={({ id }) => id}
        version={(payment) => `${payment.status} ${payment.refund?.status}`}
        currentKey={paymentId}
        loaded={items.length}
        empty={status ? <NoMatch /> : <NoPayments />}
      />
    </Page>
  )
}

const NoMatch = () => <Empty icon={CreditCard} title="No payments with this status" />

const NoPayments = () => (
  <Empty
    icon={CreditCard}
    title="No machine payments yet"
    commandLead={t`Pay from a program with an API key that has the billing:machine:charge scope:`}
    command={`curl $ATRIUM_URL/api/v1/billing/machine-payments -H "Authorization: Bearer $ATRIUM_API_KEY" -H 'content-type: application/json' -d '{"amount":"12.50","currency":"usd","reason":"Data","idempotencyKey":"order-1"}'`}
  >
    Agents and programs pay here within the mandates you set. Anything else waits for your approval. Without a
    provider, payments are only recorded and no money moves.
  </Empty>
)

const PAYMENT_COLUMNS: Column<Payment>[] = [
  {
    header: t`Payment`,
    wide: true,
    cell: ({ id, reason, payee }) => (
      <span className="block min-w-0">
        <Link
          to="/settings/organization/payments/$paymentId"
          params={{ paymentId: id }}
          search={(current) => current}
          data-row-link={id}
          className="row-link line-clamp-2 break-words font-medium outline-none @medium:line-clamp-1"
        >
          {reason}
        </Link>
        {payee && (
          <span className="block truncate text-12 text-neutral-11">
            to <Name>{payee.name}</Name>
          </span>
        )}
      </span>
    ),
  },
  {
    header: t`Status`,
    cell: ({ status }) => (
      <Status meaning={PAYMENT_LABELS[status].meaning}>{PAYMENT_LABELS[status].label}</Status>
    ),
  },
  {
    header: t`Method`,
    visibleFrom: 'wide',
    hiddenBesidePanel: true,
    cell: ({ method }) => <span className="text-neutral-11">{METHOD_LABELS[method]}</span>,
  },
  {
    header: t`Amount`,
    right: true,
    cell: ({ amount, currency }) => (
      <span className="whitespace-nowrap">{formatMoney(amount, currency)}</span>
    ),
  },
  timeColumn(t`Created`, ({ createdAt }) => createdAt, { visibleFrom: 'medium' }),
]
