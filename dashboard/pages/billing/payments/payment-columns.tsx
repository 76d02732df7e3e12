import { Link } from '@tanstack/react-router'
import type { Payment } from '../../../api/payments.ts'
import { Name } from '../../../components/name.tsx'
import { Status } from '../../../components/status.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { formatMoney, METHOD_LABELS, PAYMENT_LABELS } from './payment-labels.ts'

export const PAYMENT_COLUMNS: Column<Payment>[] = [
  {
    header: 'Payment',
    wide: true,
    cell: ({ id, reason, payee }) => (
      <span className="block min-w-0">
        <Link
          to="/billing/payments/$paymentId"
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
    header: 'Status',
    cell: ({ status }) => (
      <Status meaning={PAYMENT_LABELS[status].meaning}>{PAYMENT_LABELS[status].label}</Status>
    ),
  },
  {
    header: 'Method',
    visibleFrom: 'wide',
    hiddenBesidePanel: true,
    cell: ({ method }) => <span className="text-neutral-11">{METHOD_LABELS[method]}</span>,
  },
  {
    header: 'Amount',
    right: true,
    cell: ({ amount, currency }) => (
      <span className="whitespace-nowrap">{formatMoney(amount, currency)}</span>
    ),
  },
  timeColumn('Created', ({ createdAt }) => createdAt, { visibleFrom: 'medium' }),
]
