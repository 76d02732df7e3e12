import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { conversationsQuery } from '../../../api/conversations.ts'
import { AgentFace } from '../../../components/faces.tsx'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'

const SHOWN_MAX = 4

/** The latest conversations. Where the list is beside this page, it has them. */
export function Recents() {
  const items = useInfiniteQuery(conversationsQuery({})).data?.pages[0]?.items.slice(0, SHOWN_MAX) ?? []
  if (items.length === 0) return null
  return (
    <section aria-label="Recent chats" className="pt-16 md:hidden">
      <h3 className="pb-4 text-12 text-neutral-11">Recent</h3>
      <ul>
        {items.map(({ id, agentId, title, lastMessageAt }) => (
          <li key={id} className="border-neutral-6 border-t">
            <Link
              to="/chat/$sessionId"
              params={{ sessionId: id }}
              className="flex h-row items-center gap-8 rounded-control text-13 hover:bg-hover"
            >
              <AgentFace agent={{ id: agentId, name: '' }} size={20} />
              <span className="min-w-0 flex-1 truncate">
                <Name>{title ?? t`New conversation`}</Name>
              </span>
              <span className="text-12 text-neutral-11">
                <Time at={lastMessageAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
