import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { MessageCircle, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { AGENT_TEMPLATES, isAgentTemplate } from '../../../../contract/agents/agent-templates.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import type { Agent } from '../../../api/agents.ts'
import { newestProjectsQuery } from '../../../api/projects.ts'
import { useSession } from '../../../api/session.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Conversation } from '../../../components/conversation/conversation.tsx'
import { NewConversation } from '../../../components/conversation/new-conversation.tsx'
import { AgentFace } from '../../../components/faces.tsx'
import { InlineSelect } from '../../../components/forms/select.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { localStore } from '../../../state/store.ts'
import type { AgentEditor } from './editor/use-agent-editor.ts'

const route = getRouteApi('/app/agents/$id')

interface TryOutPanelProps {
  agent: Agent
  editor: AgentEditor
  takesFocus: boolean
  onClose: () => void
}

export function TryOutPanel({ agent, editor, takesFocus, onClose }: TryOutPanelProps) {
  const { session, template } = route.useSearch()
  const navigate = useNavigate()
  const [rememberedId, remember] = useRememberedProject()
  const projectList = useQuery(newestProjectsQuery)
  const projects = (projectList.data?.items ?? []).filter(({ canEdit }) => canEdit)
  const project = projects.find(({ id }) => id === rememberedId) ?? projects[0]
  const open = (sessionId: string | undefined) =>
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, panel: 'try', session: sessionId }),
      replace: true,
      ignoreBlocker: true,
    })
  return (
    <Panel
      title="Try it"
      subtitle={editor.isChanged && <Tag>Unsaved changes</Tag>}
      takesFocus={takesFocus}
      fills
      onClose={onClose}
    >
      <div className="flex min-h-0 flex-1 flex-col bg-inset">
        {editor.isChanged && <Unsaved agent={agent} editor={editor} />}
        {project && (
          <div className="flex shrink-0 items-center gap-8 border-neutral-6 border-b px-16 py-8">
            <InlineSelect
              small
              narrow
              label="Project to try it in"
              value={project.id}
              options={projects.map(({ id, name }) => ({ value: id, label: name }))}
              onChoose={(id) => {
                remember(id)
                // A conversation belongs to one project.
                open(undefined)
              }}
            />
            {session && (
              <span className="ml-auto flex gap-4">
                <Button look="quiet" size="small" onClick={() => open(undefined)}>
                  <RotateCcw aria-hidden className="icon" />
                  Reset
                </Button>
                <Link
                  to="/chat/$sessionId"
                  params={{ sessionId: session }}
                  search={{}}
                  className={buttonClass('quiet', 'small')}
                >
                  <MessageCircle aria-hidden className="icon" />
                  Open in chat
                </Link>
              </span>
            )}
          </div>
        )}
        {projectList.data && !project && (
          <p className="p-16 text-13 text-neutral-11">To try an agent, you need a project you can edit.</p>
        )}
        {project && session && <Conversation key={session} sessionId={session} onOpen={open} />}
        {project && !session && agent.archivedAt === null && (
          <NewConversation
            key={project.id}
            projectId={project.id}
            agentId={agent.id}
            draftName={`agent-${agent.id}`}
            onCreated={open}
            placeholder={textWithNames`Message ${agent.name}`}
          >
            {(compose) => (
              <div className="flex min-h-0 flex-1 flex-col items-start justify-end gap-12 overflow-y-auto p-16">
                <AgentFace agent={agent} size={32} />
                <p className="text-13 text-neutral-11">
                  Chat with the saved version of {agent.name}. Changes it makes are real; you can undo them
                  from the run page.
                </p>
                {isAgentTemplate(template) && (
                  <ul aria-label="Messages to start with" className="flex w-full flex-col gap-8">
                    {AGENT_TEMPLATES[template].examples.map((example) => (
                      <li key={example}>
                        <button
                          type="button"
                          onClick={() => compose(example)}
                          className="w-full rounded-panel bg-card px-12 py-8 text-left text-13 shadow-card hover:bg-hover"
                        >
                          {example}
                        </button>
                      </li>
                    ))}
                  </ul>
                )}
              </div>
            )}
          </NewConversation>
        )}
      </div>
    </Panel>
  )
}

const Tag = ({ children }: { children: string }) => (
  <span className="rounded-round bg-selected px-8 py-2 font-medium text-12 text-neutral-11">{children}</span>
)

function Unsaved({ agent, editor }: { agent: Agent; editor: AgentEditor }) {
  const { save } = editor
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-between gap-8 border-neutral-6 border-b px-16 py-8 text-12 text-neutral-11">
      <span>Replies come from version {agent.version}.</span>
      <Button size="small" busy={save.isPending} onClick={save.run}>
        Publish and try
      </Button>
    </div>
  )
}

function useRememberedProject(): [string | null, (id: string) => void] {
  const { user, organization } = useSession()
  const key = `atrium.try-out-project.${user.id}.${organization.id}`
  const [projectId, setProjectId] = useState(() => localStore.read(key))
  const remember = (id: string) => {
    setProjectId(id)
    localStore.write(key, id)
  }
  return [projectId, remember]
}
