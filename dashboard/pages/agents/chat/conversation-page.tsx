import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { agentQuery } from '../../../api/agents.ts'
import { conversationQuery } from '../../../api/conversations.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Conversation } from '../../../components/conversation/conversation.tsx'
import { ConversationMeter } from '../../../components/conversation/conversation-meter.tsx'
import { useRememberTarget } from '../../../components/conversation/remembered-target.ts'
import { Name } from '../../../components/name.tsx'
import { useRecordOpened } from '../../../frame/palette/record-opened.ts'
import { usePageTitle } from '../../../state/page-title.ts'
import { ConversationMenu } from './conversation-menu.tsx'
import { PeopleButton } from './people.tsx'

const route = getRouteApi('/app/chat/$sessionId')

export function ConversationPage() {
  const { sessionId } = route.useParams()
  const navigate = useNavigate()
  const { data } = useQuery(conversationQuery(sessionId))
  useRecordOpened('session', data?.id)
  useRememberTarget({ projectId: data?.projectId, agentId: data?.agentId })
  usePageTitle(data?.title)
  return (
    <>
      <header className="flex h-48 shrink-0 items-center gap-8 border-neutral-6 border-b px-8 md:px-16">
        <Link
          to="/chat"
          search={(previous) => previous}
          aria-label="All conversations"
          className={`md:hidden ${buttonClass('quiet', 'icon')}`}
        >
          <ChevronLeft aria-hidden className="icon" />
        </Link>
        <div className="min-w-0 flex-1">
          <h1 className="truncate font-strong text-14">
            <Name>{data?.title ?? t`Conversation`}</Name>
          </h1>
          {data && <AgentLine agentId={data.agentId} />}
        </div>
        <ConversationMeter sessionId={sessionId} />
        {data && <PeopleButton conversation={data} />}
        {data && <ConversationMenu conversation={data} />}
      </header>
      <Conversation
        key={sessionId}
        sessionId={sessionId}
        autoFocus={!matchMedia('(pointer: coarse)').matches}
        onOpen={(id) =>
          void navigate({
            to: '/chat/$sessionId',
            params: { sessionId: id },
            search: (previous) => previous,
          })
        }
      />
    </>
  )
}

function AgentLine({ agentId }: { agentId: string }) {
  const { data } = useQuery(agentQuery(agentId))
  if (!data) return null
  return (
    <Link
      to="/agents/$id"
      params={{ id: agentId }}
      className="block truncate text-12 text-neutral-11 hover:text-neutral-12"
    >
      {data.emoji && `${data.emoji} `}
      <Name>{data.name}</Name>
      {data.archivedAt && ` (${t`archived`})`}
    </Link>
  )
}
