import { useInfiniteQuery } from '@tanstack/react-query'
import { Check, CircleHelp, Inbox, X } from 'lucide-react'
import { useState } from 'react'
import { openApprovalsQuery } from '../../api/approvals.ts'
import { Empty } from '../../components/empty.tsx'
import { Failure } from '../../components/failure.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { ScrollEnd } from '../../components/table/scroll-end.tsx'
import { Page } from '../../frame/page.tsx'
import { usePageKeys } from '../../frame/page-keys.ts'
import { ApprovalCard } from './approval-card.tsx'
import { ApprovalTabs } from './approval-tabs.tsx'

/** The open approvals and questions. `j` and `k` move, `a` and `d` decide the current one. */
export function ApprovalsPage() {
  const list = useInfiniteQuery(openApprovalsQuery)
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
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
    cardOf(next.id)?.scrollIntoView({ block: 'nearest' })
  }
  /** The next one becomes current when this one leaves the list. */
  const leave = (id: string) => {
    const at = items.findIndex((item) => item.id === id)
    setChosenId((items[at + 1] ?? items[at - 1])?.id)
  }
  const click = (selector: string) => cardOf(current?.id)?.querySelector<HTMLElement>(selector)?.click()
  const focusAnswer = () => cardOf(current?.id)?.querySelector<HTMLElement>('[data-answer]')?.focus()
  usePageKeys([
    {
      label: 'Approve, or answer the question',
      keys: 'a',
      icon: Check,
      run: () => (current?.kind === 'input' ? focusAnswer() : click('[data-approve]')),
    },
    { label: 'Deny', keys: 'd', icon: X, run: () => click('[data-deny]') },
    { label: 'Next approval', keys: 'j', icon: CircleHelp, unlisted: true, run: () => move(1) },
    { label: 'Previous approval', keys: 'k', icon: CircleHelp, unlisted: true, run: () => move(-1) },
  ])
  return (
    <Page title="Approvals" count={list.data?.pages[0]?.openCount} tabs={<ApprovalTabs />}>
      {list.isPending && <SkeletonRows rows={4} />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.data && items.length === 0 && <NothingOpen />}
      {items.length > 0 && (
        <div>
          {items.map((approval) => (
            <ApprovalCard
              key={approval.id}
              approval={approval}
              isCurrent={approval.id === current?.id && items.length > 0}
              onDecided={() => leave(approval.id)}
            />
          ))}
          <ScrollEnd list={list} loaded={items.length} />
        </div>
      )}
    </Page>
  )
}

const cardOf = (id: string | undefined) =>
  id === undefined ? null : document.querySelector<HTMLElement>(`[data-approval="${CSS.escape(id)}"]`)

const NothingOpen = () => (
  <Empty icon={Inbox} title="Nothing to approve">
    When an agent wants to send, spend, share or run something, or has a question, it asks here and waits.
    Each request expires after 24 hours as denied. The rules of an agent decide what it asks about.
  </Empty>
)
