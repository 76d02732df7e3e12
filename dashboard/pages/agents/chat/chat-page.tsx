import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useSearch } from '@tanstack/react-router'
import { BookMarked, CirclePause, GitBranch, Search, SquarePen, X } from 'lucide-react'
import { useMemo } from 'react'
import { t } from '../../../../contract/text.ts'
import { type Agent, agentChoicesQuery } from '../../../api/agents.ts'
import { openApprovalsQuery } from '../../../api/approvals.ts'
import type { ListedConversation } from '../../../api/conversations.ts'
import { conversationsQuery } from '../../../api/conversations.ts'
import { projectQuery } from '../../../api/projects.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { formatExact, formatRecent } from '../../../components/dates.ts'
import { AgentFace } from '../../../components/faces.tsx'
import { Failure } from '../../../components/failure.tsx'
import { CONTROL } from '../../../components/forms/field.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { useNow } from '../../../components/time.tsx'
import { useSearchInput } from '../../../frame/search-input.ts'
import { groupByDay } from './group-by-day.ts'

export function ChatPage() {
  const isList = useLocation().pathname.replace(/\/$/, '') === '/chat'
  return (
    <div className="flex min-h-0 min-w-0 flex-1">
      <div
        className={`w-full min-w-0 flex-col border-neutral-6 md:flex md:w-list md:shrink-0 md:border-r ${isList ? 'flex' : 'hidden'}`}
      >
        <ChatList isPage={isList} />
      </div>
      <div className={`min-h-0 min-w-0 flex-1 flex-col md:flex ${isList ? 'hidden' : 'flex'}`}>
        <Outlet />
      </div>
    </div>
  )
}

/** Other members change conversations. */
const REFETCH_MS = 15_000

function ChatList({ isPage }: { isPage: boolean }) {
  const { q, in: projectId } = useSearch({ strict: false })
  const { typed, setTyped } = useSearchInput(q ?? '')
  const search = q?.trim() || undefined
  const list = useInfiniteQuery({
    ...conversationsQuery({ search, projectId }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  })
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  const approvals = useInfiniteQuery(openApprovalsQuery).data
  const waitingIds = useMemo(
    () => new Set(approvals?.pages.flatMap((page) => page.items.map(({ sessionId }) => sessionId))),
    [approvals],
  )
  const agentList = useQuery(agentChoicesQuery).data
  const agents = useMemo(() => new Map(agentList?.items.map((agent) => [agent.id, agent])), [agentList])
  const now = useNow()
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <>
      <header className="flex shrink-0 flex-col gap-8 px-12 pt-8 pb-4">
        <div className="flex h-32 items-center justify-between gap-8 pl-4">
          <Heading className="font-strong text-16">Chat</Heading>
          <Link
            to="/chat/new"
            search={projectId ? { in: projectId, project: projectId } : {}}
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
        {projectId && <ProjectChip id={projectId} />}
      </header>
      <nav aria-label="Conversations" data-scroll className="min-h-0 flex-1 overflow-y-auto px-8 pb-8">
        {list.isPending && <SkeletonRows />}
        {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
        {list.data && items.length === 0 && (
          <div className="flex flex-col items-start gap-8 p-8 text-13 text-neutral-11">
            <p className="wrap-anywhere">
              {search ? withNames`No conversations match “${search}”.` : t`No conversations yet.`}
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
              <ChatListItem
                key={item.id}
                item={item}
                agent={agents.get(item.agentId)}
                isWaiting={waitingIds.has(item.id)}
                kept={{ q: search, in: projectId }}
              />
            ))}
          </ul>
        ) : (
          groupByDay(items, new Date(now)).map(({ label, items: group }) => (
            <section key={label} aria-label={label} className="mb-8">
              <h3 className="px-8 pt-8 pb-4 text-12 text-neutral-11">{label}</h3>
              <ul>
                {group.map((item) => (
                  <ChatListItem
                    key={item.id}
                    item={item}
                    agent={agents.get(item.agentId)}
                    isWaiting={waitingIds.has(item.id)}
                    kept={{ in: projectId }}
                  />
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

function ProjectChip({ id }: { id: string }) {
  const { data } = useQuery(projectQuery(id))
  return (
    <span className="flex h-24 max-w-full items-center gap-4 self-start rounded-round bg-selected pr-2 pl-8 text-12">
      {data && (
        <Link to="/projects/$ref" params={{ ref: id }} className="min-w-0 truncate hover:underline">
          <Name>{data.name}</Name>
        </Link>
      )}
      <Link
        to="."
        search={(previous) => ({ ...previous, in: undefined })}
        aria-label="Show the chats of all projects"
        title="Show the chats of all projects"
        className="flex size-20 shrink-0 items-center justify-center rounded-round hover:bg-hover"
      >
        <X aria-hidden className="size-12" />
      </Link>
    </span>
  )
}

interface ChatListItemProps {
  item: ListedConversation
  agent: Pick<Agent, 'id' | 'name'> | undefined
  isWaiting: boolean
  /** What the list shows stays when a conversation opens. */
  kept: { q?: string | undefined; in?: string | undefined }
}

function ChatListItem({ item, agent, isWaiting, kept }: ChatListItemProps) {
  const { id, title, agentId, activeRunId, lastMessageAt, match, branchedFrom, knowledge } = item
  const waits = activeRunId !== null && isWaiting
  return (
    <li>
      <Link
        to="/chat/$sessionId"
        params={{ sessionId: id }}
        search={kept}
        data-row-link={id}
        className="flex flex-col gap-2 rounded-control px-8 py-8 text-neutral-11 -outline-offset-2 transition-colors hover:bg-hover aria-[current=page]:bg-selected aria-[current=page]:font-medium aria-[current=page]:text-neutral-12"
      >
        <span className="flex min-w-0 items-center gap-8 text-13">
          <AgentFace
            agent={agent ?? { id: agentId, name: '' }}
            size={20}
            isLive={activeRunId !== null && !waits}
          />
          {agent && <span className="sr-only">{agent.name}:</span>}
          <span className="min-w-0 flex-1 truncate">
            <Name>{title ?? t`New conversation`}</Name>
          </span>
          {knowledge && (
            <BookMarked aria-label="Pinned as knowledge" className="size-12 shrink-0 text-neutral-9" />
          )}
          {branchedFrom && <GitBranch aria-label="Branch" className="size-12 shrink-0 text-neutral-9" />}
          {waits ? (
            <CirclePause aria-label="Waiting for a decision" className="icon text-warning-mark" />
          ) : (
            <time
              dateTime={lastMessageAt}
              title={formatExact(lastMessageAt)}
              className="shrink-0 font-regular text-12 text-neutral-11 tabular-nums"
            >
              {formatRecent(lastMessageAt)}
            </time>
          )}
          {activeRunId !== null && !waits && <span className="sr-only">Running</span>}
        </span>
        {match && <span className="line-clamp-2 pl-24 font-regular text-12">{match}</span>}
      </Link>
    </li>
  )
}
