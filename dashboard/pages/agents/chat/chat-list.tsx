import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { Search, SquarePen } from 'lucide-react'
import { useMemo } from 'react'
import { openApprovalsQuery } from '../../../api/approvals.ts'
import { conversationsQuery, type ListedConversation } from '../../../api/conversations.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { CONTROL } from '../../../components/forms/field.tsx'
import { withNames } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { useSearchInput } from '../../../frame/search-input.ts'
import { ChatListItem } from './chat-list-item.tsx'
import { ProjectHeading } from './project-heading.tsx'

/** The list is refetched at this interval, because other members change conversations. */
const REFETCH_MS = 15_000

/** Conversations by project, the newest first; a search covers titles and messages and shows where it matches. */
export function ChatList({ isPage }: { isPage: boolean }) {
  const { q } = useSearch({ strict: false })
  const { typed, setTyped } = useSearchInput(q ?? '')
  const search = q?.trim() || undefined
  const list = useInfiniteQuery({
    ...conversationsQuery({ search }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  })
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  const approvals = useInfiniteQuery(openApprovalsQuery).data
  const waitingIds = useMemo(
    () => new Set(approvals?.pages.flatMap((page) => page.items.map(({ sessionId }) => sessionId))),
    [approvals],
  )
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <>
      <header className="flex shrink-0 flex-col gap-8 border-neutral-6 border-b px-12 py-8">
        <div className="flex h-32 items-center justify-between gap-8 pl-4">
          <Heading className="font-strong text-16">Chat</Heading>
          <Link
            to="/chat/new"
            aria-label="New chat"
            title="New chat"
            className={buttonClass('quiet', 'icon')}
          >
            <SquarePen aria-hidden className="icon" />
          </Link>
        </div>
        <div className="relative">
          <Search aria-hidden className="icon pointer-events-none absolute top-8 left-8 text-neutral-11" />
          <input
            type="search"
            data-filter
            aria-label="Search conversations"
            placeholder="Search conversations"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            className={`h-32 pl-32 ${CONTROL}`}
          />
        </div>
      </header>
      <nav aria-label="Conversations" data-scroll className="min-h-0 flex-1 overflow-y-auto p-8">
        {list.isPending && <SkeletonRows />}
        {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
        {list.data && items.length === 0 && (
          <div className="flex flex-col items-start gap-8 p-8 text-13 text-neutral-11">
            <p className="wrap-anywhere">
              {search ? withNames`No conversations match “${search}”.` : 'No conversations yet.'}
            </p>
            {search ? (
              <Button size="small" onClick={() => setTyped('')}>
                Clear search
              </Button>
            ) : (
              <Link to="/chat/new" className={`md:hidden ${buttonClass('primary')}`}>
                New chat
              </Link>
            )}
          </div>
        )}
        {search ? (
          <ul>
            {items.map((item) => (
              <ChatListItem key={item.id} item={item} isWaiting={waitingIds.has(item.id)} search={search} />
            ))}
          </ul>
        ) : (
          byProject(items).map(([projectId, group]) => (
            <section key={projectId} className="mb-12">
              <ProjectHeading id={projectId} />
              <ul>
                {group.map((item) => (
                  <ChatListItem key={item.id} item={item} isWaiting={waitingIds.has(item.id)} />
                ))}
              </ul>
            </section>
          ))
        )}
        {items.length > 0 && <ScrollEnd list={list} loaded={items.length} />}
      </nav>
    </>
  )
}

/** In the order of the newest message of each project. */
function byProject(items: readonly ListedConversation[]): [string, ListedConversation[]][] {
  const groups = new Map<string, ListedConversation[]>()
  for (const item of items) groups.set(item.projectId, [...(groups.get(item.projectId) ?? []), item])
  return [...groups]
}
