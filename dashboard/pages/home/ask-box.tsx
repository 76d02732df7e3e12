import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ArrowUp, ChevronDown } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { t } from '../../../contract/text.ts'
import { agentChoicesQuery } from '../../api/agents.ts'
import { api } from '../../api/client.ts'
import { refreshConversationLists } from '../../api/conversations.ts'
import { newestProjectsQuery } from '../../api/projects.ts'
import { queryClient } from '../../api/query-client.ts'
import { useTarget } from '../../components/conversation/remembered-target.ts'
import { AgentFace, ProjectFace } from '../../components/faces.tsx'
import { Menu, MenuChoice } from '../../components/menu.tsx'
import { Name } from '../../components/name.tsx'
import { toastFailure } from '../../components/toast.tsx'

export interface Question {
  text: string
  /** Overrides the remembered project. */
  projectId?: string
}

interface AskBoxProps {
  question: Question
  onChange: (question: Question) => void
  input: RefObject<HTMLTextAreaElement | null>
}

/** Sends the first message of a new chat, and opens it. */
export function AskBox({ question, onChange, input }: AskBoxProps) {
  const navigate = useNavigate()
  const { target, choose } = useTarget({})
  const { data: projectList } = useQuery(newestProjectsQuery)
  const { data: agentList } = useQuery(agentChoicesQuery)
  const projects = (projectList?.items ?? []).filter(({ canEdit }) => canEdit)
  const agents = agentList?.items ?? []
  const findOrFirst = <T extends { id: string }>(options: readonly T[], id: string | undefined) =>
    options.find((option) => option.id === id) ?? options[0]
  const project = findOrFirst(projects, question.projectId ?? target.projectId)
  const agent = findOrFirst(agents, target.agentId)
  const text = question.text.trim()
  const send = useMutation({
    mutationFn: async () => {
      const projectId = project?.id ?? (await createFirstProject())
      return api.sessions.create({ projectId, agentId: agent?.id, message: { content: text } })
    },
    onSuccess: ({ id }) => {
      void refreshConversationLists()
      void navigate({ to: '/chat/$sessionId', params: { sessionId: id }, search: {} })
    },
    onError: toastFailure,
  })
  const submit = () => {
    if (text !== '' && !send.isPending && projectList && agentList) send.mutate()
  }
  return (
    <form
      className="flex flex-wrap items-center gap-8 rounded-panel bg-card py-8 pr-8 pl-16 shadow-raised focus-within:outline-2 focus-within:outline-selection"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <textarea
        ref={input}
        rows={1}
        aria-label={t`Ask an agent`}
        placeholder={t`Ask an agent, or start something`}
        value={question.text}
        onChange={(event) => onChange({ ...question, text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          submit()
        }}
        className="field-sizing-content max-h-[160px] min-w-0 flex-1 basis-qr resize-none bg-transparent py-4 text-16 outline-none placeholder:text-neutral-11 sm:text-15"
      />
      <div className="flex items-center gap-4 max-sm:hidden">
        {agent && (
          <Choice
            label={t`Agent`}
            value={agent.id}
            options={agents}
            onChoose={(id) => choose({ agentId: id })}
            face={<AgentFace agent={agent} size={18} />}
          />
        )}
        {project && (
          <Choice
            label={t`Project`}
            value={project.id}
            options={projects}
            onChoose={(id) => {
              choose({ projectId: id })
              onChange({ text: question.text })
            }}
            face={<ProjectFace project={project} size={18} />}
          />
        )}
      </div>
      <button
        type="submit"
        aria-label={t`Send`}
        aria-busy={send.isPending || undefined}
        disabled={text === ''}
        className={`flex size-32 shrink-0 items-center justify-center rounded-control ${text === '' ? 'bg-neutral-4 text-neutral-11' : 'bg-accent text-on-accent hover:bg-accent-strong'}`}
      >
        <ArrowUp aria-hidden className="icon" />
      </button>
    </form>
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly { id: string; name: string }[]
  onChoose: (id: string) => void
  face: ReactNode
}

function Choice({ label, value, options, onChoose, face }: ChoiceProps) {
  const name = options.find(({ id }) => id === value)!.name
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="flex h-32 items-center gap-8 rounded-control px-8 font-medium text-13 text-neutral-11 hover:bg-hover hover:text-neutral-12"
        >
          {face}
          <span className="sr-only">{label}:</span>
          <span className="max-w-status truncate">
            <Name>{name}</Name>
          </span>
          <ChevronDown aria-hidden className="size-12" />
        </button>
      }
    >
      <MenuChoice
        closes
        label={label}
        value={value}
        options={options.map((option) => ({ value: option.id, label: option.name }))}
        onChoose={onChoose}
      />
    </Menu>
  )
}

async function createFirstProject(): Promise<string> {
  const { id } = await api.projects.create({ name: t`First project` })
  void queryClient.invalidateQueries({ queryKey: ['projects'] })
  return id
}
