import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { modelsQuery } from '../../../api/agents.ts'
import { useCanCreateProjects } from '../../../api/workspaces.ts'
import { buttonClass } from '../../../components/button.tsx'
import { TestModelNote } from '../../../components/conversation/conversation-notes.tsx'
import { NewConversation } from '../../../components/conversation/new-conversation.tsx'
import { AgentFace } from '../../../components/faces.tsx'
import { withNames } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Examples } from './examples.tsx'
import { Recents } from './recents.tsx'
import { createFirstProject, TargetMenus, useTargetOptions } from './target-menus.tsx'

const route = getRouteApi('/app/chat')

export const ChatStartPage = () => <NewChat isPage={false} />
export const NewChatPage = () => <NewChat isPage />

function NewChat({ isPage }: { isPage: boolean }) {
  const search = route.useSearch()
  const navigate = useNavigate()
  const options = useTargetOptions({ projectId: search.project, agentId: search.agent })
  const canCreateProjects = useCanCreateProjects()
  const open = (sessionId: string) =>
    void navigate({ to: '/chat/$sessionId', params: { sessionId }, search: {} })
  if (options.isPending) return <SkeletonRows rows={4} />
  const { projectId, agentId, agents, hasProjects } = options
  const agent = agents.find(({ id }) => id === agentId)
  const canWrite = projectId !== undefined || (!hasProjects && canCreateProjects)
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <>
      <div className="flex h-48 shrink-0 items-center border-neutral-6 border-b px-8 md:hidden">
        <Link to="/chat" aria-label="All conversations" className={buttonClass('quiet', 'icon')}>
          <ChevronLeft aria-hidden className="icon" />
        </Link>
      </div>
      {canWrite ? (
        <NewConversation
          key={projectId}
          projectId={projectId}
          agentId={agentId}
          draftName="new"
          prepare={createFirstProject}
          autoFocus={!matchMedia('(pointer: coarse)').matches}
          model={options.model}
          placeholder="What should the agent do? Use @ to mention a file, block or agent"
          onCreated={open}
          controls={<TargetMenus options={options} />}
          below={(compose) => (
            <>
              <Examples agentName={agent?.name} projectId={projectId} onCompose={compose} onCreated={open} />
              <NoModelNote />
              <Recents />
            </>
          )}
        >
          {() => (
            <header className="flex flex-col items-center gap-12 pb-8 text-center">
              {agent && <AgentFace agent={agent} size={48} />}
              <Heading className="font-strong text-20 tracking-title @medium:text-28">
                {agent ? withNames`What can ${agent.name} do for you?` : t`New chat`}
              </Heading>
              {!hasProjects && (
                <p className="text-13 text-neutral-11">
                  Your first message creates the project “First project”.
                </p>
              )}
            </header>
          )}
        </NewConversation>
      ) : (
        <p className="p-24 text-neutral-11">
          You can read your projects’ conversations. To write, you need edit access to a project.
        </p>
      )}
    </>
  )
}

function NoModelNote() {
  const { data } = useQuery(modelsQuery)
  if (!data || data.some(({ isTest, availability }) => !isTest && availability === 'available')) return null
  if (data.length > 0) return <TestModelNote model="test/echo" />
  return (
    <p className="text-center text-13 text-warning-text">
      No language model is available.{' '}
      <Link to="/settings/organization/models" className="underline underline-offset-2">
        Add a provider under Settings → Models
      </Link>
      .
    </p>
  )
}
