import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { BookMarked, ChevronLeft } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { agentQuery } from '../../../api/agents.ts'
import { conversationQuery } from '../../../api/conversations.ts'
import { projectQuery, projectRef } from '../../../api/projects.ts'
import { buttonClass } from '../../../components/button.tsx'
import { useCitedMessage } from '../../../components/citations/open-citation.ts'
import { Conversation } from '../../../components/conversation/conversation.tsx'
import { ConversationMeter } from '../../../components/conversation/conversation-meter.tsx'
import { RECORDED_MODEL } from '../../../components/conversation/conversation-notes.tsx'
import { useRememberTarget } from '../../../components/conversation/remembered-target.ts'
import { ProjectFace } from '../../../components/faces.tsx'
import { Name } from '../../../components/name.tsx'
import { useRecordOpened } from '../../../frame/palette/record-opened.ts'
import { usePageTitle } from '../../../state/page-title.ts'
import { ConversationMenu } from './conversation-menu.tsx'
import { PeopleButton } from './people.tsx'

const route = getRouteApi('/app/chat/$sessionId')

/** The chat list's filter stays. */
const withoutMessage = <S extends { message?: number }>({ message: _message, ...search }: S) => search

export function ConversationPage() {
  const { sessionId } = route.useParams()
  const navigate = useNavigate()
  const { message } = route.useSearch()
  const cited = useCitedMessage(message)
  const { data } = useQuery(conversationQuery(sessionId))
  useRecordOpened('session', data?.id)
  const agent = useQuery({ ...agentQuery(data?.agentId ?? ''), enabled: data !== undefined }).data
  // The sample's agent can't answer the next question.
  const rememberedAgentId = agent?.model === RECORDED_MODEL ? undefined : agent?.id
  useRememberTarget({ projectId: data?.projectId, agentId: rememberedAgentId })
  usePageTitle(data?.title)
  return (
    <>
      <header className="flex h-header shrink-0 items-center gap-8 px-8 max-md:border-neutral-6 max-md:border-b md:px-16">
        <Link
          to="/chat"
          search={withoutMessage}
          aria-label="All conversations"
          className={`md:hidden ${buttonClass('quiet', 'icon')}`}
        >
          <ChevronLeft aria-hidden className="icon" />
        </Link>
        <div className="flex min-w-0 flex-1 items-center gap-12">
          <h1 className="truncate font-strong text-14 tracking-heading">
            <Name>{data?.title ?? t`Conversation`}</Name>
          </h1>
          {data?.knowledge && (
            <BookMarked
              role="img"
              aria-label="Pinned as knowledge"
              className="icon shrink-0 text-neutral-11"
            />
          )}
          {data && <ProjectLink projectId={data.projectId} />}
        </div>
        <ConversationMeter sessionId={sessionId} />
        {data && <PeopleButton conversation={data} />}
        {data && <ConversationMenu conversation={data} />}
      </header>
      <Conversation
        key={sessionId}
        sessionId={sessionId}
        cited={cited}
        autoFocus={!matchMedia('(pointer: coarse)').matches}
        onOpen={(id) =>
          void navigate({
            to: '/chat/$sessionId',
            params: { sessionId: id },
            search: withoutMessage,
          })
        }
      />
    </>
  )
}

function ProjectLink({ projectId }: { projectId: string }) {
  const { data } = useQuery(projectQuery(projectId))
  if (!data) return null
  return (
    <Link
      to="/projects/$ref"
      params={{ ref: projectRef(data) }}
      className="flex min-w-0 shrink items-center gap-8 text-13 text-neutral-11 hover:text-neutral-12 max-md:hidden"
    >
      <ProjectFace project={data} size={18} />
      <span className="truncate">
        <Name>{data.name}</Name>
      </span>
    </Link>
  )
}
