import { Link } from '@tanstack/react-router'
import { CircleHelp, GitBranch, LoaderCircle } from 'lucide-react'
import type { ListedConversation } from '../../../api/conversations.ts'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'

interface ChatListItemProps {
  item: ListedConversation
  /** An approval or a question is open. */
  isWaiting: boolean
  /** The search that found it. */
  search?: string
}

export function ChatListItem({ item, isWaiting, search }: ChatListItemProps) {
  const { id, title, activeRunId, lastMessageAt, match, branchedFrom } = item
  return (
    <li>
      <Link
        to="/chat/$sessionId"
        params={{ sessionId: id }}
        search={search ? { q: search } : {}}
        data-row-link={id}
        className="flex flex-col rounded-control px-8 py-8 -outline-offset-2 transition-colors hover:bg-neutral-3 aria-[current=page]:bg-neutral-4"
      >
        <span className="flex min-w-0 items-center gap-8 text-13">
          {branchedFrom && <GitBranch aria-label="Branch" className="icon text-neutral-10" />}
          <span className="min-w-0 flex-1 truncate">
            <Name>{title ?? 'New conversation'}</Name>
          </span>
          {activeRunId && isWaiting ? (
            <CircleHelp aria-label="Waits for a decision" className="icon text-warning-text" />
          ) : activeRunId ? (
            <LoaderCircle aria-label="Running" className="icon text-accent-text motion-safe:animate-spin" />
          ) : (
            <span className="shrink-0 text-12 text-neutral-11">
              <Time at={lastMessageAt} />
            </span>
          )}
        </span>
        {match && <span className="line-clamp-2 text-12 text-neutral-11">{match}</span>}
      </Link>
    </li>
  )
}
