import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { modelsQuery } from '../../../api/agents.ts'
import { useCanCreateProjects } from '../../../api/workspaces.ts'
import { buttonClass } from '../../../components/button.tsx'
import { TestModelNote } from '../../../components/conversation/conversation-notes.tsx'
import { NewConversation } from '../../../components/conversation/new-conversation.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Examples } from './examples.tsx'
import { createFirstProject, TargetSelects, useTargetOptions } from './target-selects.tsx'

const route = getRouteApi('/app/chat')

export const ChatStartPage = () => <NewChat isPage={false} />
export const NewChatPage = () => <NewChat isPage />

function NewChat({ isPage }: { isPage: boolean }) {
  const { project, agent } = route.useSearch()
  const navigate = useNavigate()
  const options = useTargetOptions({ projectId: project, agentId: agent })
  const canCreateProjects = useCanCreateProjects()
  const open = (sessionId: string) =>
    void navigate({ to: '/chat/$sessionId', params: { sessionId }, search: {} })
  if (options.isPending) return <SkeletonRows rows={4} />
  const { projectId, agentId, hasProjects } = options
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
          placeholder="What should the agent do? Use @ to mention a block or file"
          onCreated={open}
          controls={<TargetSelects options={options} />}
        >
          {(compose) => (
            <div className="min-h-0 flex-1 overflow-y-auto">
              <div className="mx-auto flex min-h-full w-full max-w-wide flex-col justify-end gap-24 px-16 py-24">
                <div className="flex flex-col gap-4">
                  <Heading className="font-strong text-20">New chat</Heading>
                  <p className="text-neutral-11">
                    An agent replies and works on the project’s canvas and files. You see every tool call and
                    can stop the agent anytime.
                    {!hasProjects && t` Your first message creates the project “First project”.`}
                  </p>
                </div>
                <Examples projectId={projectId} onCompose={compose} onCreated={open} />
                <NoModelNote />
              </div>
            </div>
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
    <p className="text-13 text-warning-text">
      No language model is available.{' '}
      <Link to="/settings/organization/models" className="underline underline-offset-2">
        Add a provider under Settings → Models
      </Link>
      .
    </p>
  )
}
