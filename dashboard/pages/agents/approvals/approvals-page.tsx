import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleHelp, Inbox } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { type Approval, openApprovalsQuery } from '../../../api/approvals.ts'
import { type Payment, waitingPaymentsQuery } from '../../../api/payments.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { ApprovalCard } from './approval-card.tsx'
import { approvalKeys, findApprovalCard } from './approval-keys.ts'
import { ApprovalTabs } from './approval-tabs.tsx'
import { PaymentCard } from './payment-card.tsx'

/**
 * Includes payments that wait for an admin. `j` and `k` move, `a` and `d` decide the current item, `e` edits its input.
 */
export function ApprovalsPage() {
  const list = useInfiniteQuery(openApprovalsQuery)
  const firstPage = list.data?.pages[0]
  const hasPayments = (firstPage?.waitingPayments ?? 0) > 0
  const payments = useQuery({ ...waitingPaymentsQuery, enabled: hasPayments })
  const items = inboxOf(
    list.data?.pages.flatMap((page) => page.items) ?? [],
    hasPayments ? (payments.data?.items ?? []) : [],
  )
  const expiredCount = firstPage?.expiredConnections ?? 0
  const isLoading = list.isPending || (hasPayments && payments.isPending)
  const error = (!list.data && list.error) || (!payments.data && payments.error)
  const [chosenId, setChosenId] = useState<string>()
  const index = Math.max(
    0,
    items.findIndex(({ id }) => id === chosenId),
  )
  const current = items[index]
  const move = (step: 1 | -1) => {
    const next = items[Math.min(Math.max(index + step, 0), items.length - 1)]
    if (!next) return
    setChosenId(next.id)
    findApprovalCard(next.id)?.scrollIntoView({ block: 'nearest' })
  }
  const selectAfter = (id: string) => {
    const at = items.findIndex((item) => item.id === id)
    setChosenId((items[at + 1] ?? items[at - 1])?.id)
  }
  usePageKeys([
    ...approvalKeys(current),
    { label: t`Next approval`, keys: 'j', icon: CircleHelp, unlisted: true, run: () => move(1) },
    { label: t`Previous approval`, keys: 'k', icon: CircleHelp, unlisted: true, run: () => move(-1) },
  ])
  return (
    <Page
      title="Approvals"
      count={(firstPage && firstPage.openCount + firstPage.waitingPayments + expiredCount) || undefined}
      tabs={<ApprovalTabs />}
    >
      {isLoading && <SkeletonRows rows={4} />}
      {error && <Failure error={error} onRetry={() => Promise.all([list.refetch(), payments.refetch()])} />}
      {expiredCount > 0 && <ExpiredConnections count={expiredCount} />}
      {!isLoading && !error && items.length === 0 && expiredCount === 0 && <NothingOpen />}
      {items.length > 0 && (
        <div className="flex w-full max-w-column flex-col gap-16 px-16 py-16 md:px-24">
          {items.map((item) => {
            const card = { isCurrent: item.id === current?.id, onDecided: () => selectAfter(item.id) }
            return item.kind === 'payment' ? (
              <PaymentCard key={item.id} payment={item.payment} {...card} />
            ) : (
              <ApprovalCard key={item.id} approval={item.approval} {...card} />
            )
          })}
          <ScrollEnd list={list} loaded={items.length} />
        </div>
      )}
    </Page>
  )
}

const ExpiredConnections = ({ count }: { count: number }) => (
  <p className="border-neutral-6 border-b px-16 py-12 text-neutral-11 md:px-24">
    {count === 1
      ? t`One connection needs to be authorized again. Until then, agents can’t use it.`
      : t`${count} connections need to be authorized again. Until then, agents can’t use them.`}{' '}
    <a href="/integrations" className="underline hover:text-neutral-12">
      Open connections
    </a>
  </p>
)

const NothingOpen = () => (
  <Empty
    icon={Inbox}
    title="No open approvals"
    action={
      <Link to="/agents" className={buttonClass('plain')}>
        Open agents
      </Link>
    }
  >
    Agents ask here before they send, spend, share or execute something, and when they have a question. Each
    agent’s approval rules decide which calls need approval. Payments without a mandate wait here for an owner
    or admin. Requests are denied after 24 hours without a decision.
  </Empty>
)

type InboxItem =
  | { kind: 'approval' | 'input'; id: string; requestedAt: string; approval: Approval }
  | { kind: 'payment'; id: string; requestedAt: string; payment: Payment }

/** Newest first. */
const inboxOf = (approvals: Approval[], payments: Payment[]): InboxItem[] =>
  [
    ...approvals.map(
      (approval): InboxItem => ({
        kind: approval.kind,
        id: approval.id,
        requestedAt: approval.requestedAt,
        approval,
      }),
    ),
    ...payments.map(
      (payment): InboxItem => ({
        kind: 'payment',
        id: payment.id,
        requestedAt: payment.approval?.requestedAt ?? payment.createdAt,
        payment,
      }),
    ),
  ].toSorted((a, b) => Date.parse(b.requestedAt) - Date.parse(a.requestedAt))
