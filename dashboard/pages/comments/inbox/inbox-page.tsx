import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, Bell, CheckCheck, ExternalLink, MailOpen, Settings } from 'lucide-react'
import { useState } from 'react'
import {
  NOTIFICATION_KINDS,
  type NotificationKind,
} from '../../../../contract/comments/notification-options.ts'
import { t } from '../../../../contract/text.ts'
import { markRead, type Notification, notificationsQuery } from '../../../api/comments.ts'
import { shortMessage } from '../../../api/explain.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { dayLabel } from '../../../components/dates.ts'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Filter, FilterBar } from '../../../components/forms/filters.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { toast } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { SectionTabs } from '../../../frame/section-tabs.tsx'
import { NotificationRow } from './notification-row.tsx'

const SHOWN = [
  { value: 'unread', label: t`Unread` },
  { value: 'all', label: t`All` },
] as const

const KINDS = Object.entries(NOTIFICATION_KINDS).map(([value, { label }]) => ({
  value: value as NotificationKind,
  label,
}))

const route = getRouteApi('/app/inbox')

/** Newest first. `j` and `k` move, `e` marks as read, Enter opens. */
export function InboxPage() {
  const search = route.useSearch()
  const navigate = useNavigate()
  const change = (next: typeof search) =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, ...next }), replace: true })
  const shown = search.show === 'unread' ? 'unread' : 'all'
  const kind = KINDS.find(({ value }) => value === search.kind)?.value
  const filter = { unread: shown === 'unread', kind }
  const list = useInfiniteQuery(notificationsQuery(filter))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const unreadCount = list.data?.pages[0]?.unreadCount ?? 0
  const [chosenId, setChosenId] = useState<string>()
  const index = items.findIndex(({ id }) => id === chosenId)
  const current = items[index]

  const attempt = (work: Promise<unknown>) => void work.catch((error) => toast(shortMessage(error)))
  const move = (step: 1 | -1) => {
    const next = items[Math.min(Math.max(index + step, 0), items.length - 1)]
    if (!next) return
    setChosenId(next.id)
    rowOf(next.id)?.scrollIntoView({ block: 'nearest' })
  }
  const toggle = ({ id, readAt }: Notification) => attempt(markRead({ ids: [id] }, readAt === null))
  const open = ({ id, readAt }: Notification) => {
    if (readAt === null) attempt(markRead({ ids: [id] }))
  }
  usePageKeys([
    { label: t`Next notification`, keys: 'j', icon: ArrowDown, run: () => move(1) },
    { label: t`Previous notification`, keys: 'k', icon: ArrowUp, run: () => move(-1) },
    {
      label: t`Mark as read or unread`,
      keys: 'e',
      icon: MailOpen,
      run: () => (current ? toggle(current) : false),
    },
    {
      label: t`Open notification`,
      keys: 'Enter',
      icon: ExternalLink,
      run: () => (current ? rowOf(current.id)?.querySelector('a')?.click() : false),
    },
  ])
  return (
    <Page
      title="Inbox"
      tabs={<SectionTabs of="inbox" />}
      count={list.data && unreadCount}
      action={
        <div className="flex items-center gap-8">
          <Button disabled={unreadCount === 0} onClick={() => attempt(markRead({ all: true }))}>
            <CheckCheck aria-hidden className="icon" />
            <span className="max-sm:sr-only">Mark all as read</span>
          </Button>
          <Link
            to="/settings/notifications"
            aria-label="Notification settings"
            title="Notification settings"
            className={buttonClass('quiet', 'icon')}
          >
            <Settings aria-hidden className="icon" />
          </Link>
        </div>
      }
    >
      <FilterBar>
        <Segments
          label="Show"
          value={shown}
          options={SHOWN}
          onChoose={(value) => change({ show: value === 'all' ? undefined : value })}
        />
        <Filter
          label="Type"
          any={t`All types`}
          value={kind}
          options={KINDS}
          onChoose={(value) => change({ kind: value })}
        />
      </FilterBar>
      {list.isPending && <SkeletonRows rows={5} />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.data && items.length === 0 && (
        <NothingHere isFiltered={shown === 'unread' || kind !== undefined} />
      )}
      {items.length > 0 && (
        <>
          {[...Map.groupBy(items, dayOf)].map(([day, group]) => (
            <section key={day} aria-label={day} className="max-w-sheet">
              <h2 className="px-16 pt-16 pb-4 text-12 text-neutral-11 md:px-24">{day}</h2>
              <ul className="px-4 md:px-12">
                {group.map((notification) => (
                  <NotificationRow
                    key={notification.id}
                    notification={notification}
                    isCurrent={notification.id === current?.id}
                    onOpen={() => open(notification)}
                    onToggle={() => toggle(notification)}
                  />
                ))}
              </ul>
            </section>
          ))}
          <ScrollEnd list={list} loaded={items.length} />
        </>
      )}
    </Page>
  )
}

const dayOf = ({ createdAt }: Notification) => dayLabel(new Date(createdAt), new Date())

const rowOf = (id: string) => document.querySelector<HTMLElement>(`[data-notification="${CSS.escape(id)}"]`)

const NothingHere = ({ isFiltered }: { isFiltered: boolean }) => (
  <Empty
    icon={Bell}
    title={isFiltered ? t`No matching notifications` : t`No notifications`}
    action={
      <Link to="/settings/notifications" className={buttonClass('plain')}>
        Notification settings
      </Link>
    }
  >
    {isFiltered
      ? t`Show all notifications or choose another type.`
      : t`Mentions, replies, approvals, finished runs and problems with connections, webhooks and budgets appear here. They’re kept for 90 days.`}
  </Empty>
)
