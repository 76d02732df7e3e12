import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { agentsQuery } from '../../../api/agents.ts'
import { api } from '../../../api/client.ts'
import { newestProjectsQuery, projectQuery } from '../../../api/projects.ts'
import { queryClient } from '../../../api/query-client.ts'
import { Button } from '../../../components/button.tsx'
import { ModelMenu } from '../../../components/conversation/model-menu.tsx'
import { type Target, useTarget } from '../../../components/conversation/remembered-target.ts'
import { AgentFace, ProjectFace } from '../../../components/faces.tsx'
import { Menu, MenuChoice } from '../../../components/menu.tsx'
import { Name } from '../../../components/name.tsx'

/** Who answers, where and with which model. */
export function TargetMenus({ options }: { options: TargetOptions }) {
  const { projects, agents, projectId, agentId, model, choose, chooseModel } = options
  const agent = agents.find(({ id }) => id === agentId)
  const project = projects.find(({ id }) => id === projectId)
  return (
    <>
      {agent && (
        <TargetMenu
          label="Agent"
          chosen={agent}
          options={agents}
          faceOf={(each) => <AgentFace agent={each} size={18} />}
          onChoose={(id) => choose({ agentId: id })}
        />
      )}
      {project && (
        <TargetMenu
          label="Project"
          chosen={project}
          options={projects}
          faceOf={(each) => <ProjectFace project={each} size={18} />}
          onChoose={(id) => choose({ projectId: id })}
        />
      )}
      <ModelMenu agentId={agentId} model={model} onChoose={chooseModel} />
    </>
  )
}

interface TargetMenuProps<T> {
  label: string
  chosen: T
  options: readonly T[]
  faceOf: (option: T) => ReactNode
  onChoose: (id: string) => void
}

function TargetMenu<T extends { id: string; name: string }>(props: TargetMenuProps<T>) {
  const { label, chosen, options, faceOf, onChoose } = props
  const trigger = (
    <Button look="quiet" size="small" className="min-w-0 shrink">
      {faceOf(chosen)}
      <span className="sr-only">{label}:</span>
      <span className="max-w-qr truncate">
        <Name>{chosen.name}</Name>
      </span>
      <ChevronDown aria-hidden className="size-12 text-neutral-9" />
    </Button>
  )
  return (
    <Menu trigger={trigger}>
      <MenuChoice
        label={label}
        value={chosen.id}
        closes
        options={options.map((option) => ({ value: option.id, label: option.name, face: faceOf(option) }))}
        onChoose={onChoose}
      />
    </Menu>
  )
}

/** Preselects the last used, else the first. */
export function useTargetOptions(initial: Target) {
  const [model, chooseModel] = useState<string | null>(null)
  const { target, choose } = useTarget({
    ...(initial.projectId && { projectId: initial.projectId }),
    ...(initial.agentId && { agentId: initial.agentId }),
  })
  const projectList = useQuery(newestProjectsQuery)
  const agents = useInfiniteQuery(agentsQuery({}))
  const newest = projectList.data?.items ?? []
  // The last project may be older than the newest ones, or deleted.
  const isOlder = projectList.data !== undefined && newest.every(({ id }) => id !== target.projectId)
  const older = useQuery({
    ...projectQuery(target.projectId ?? ''),
    enabled: isOlder && target.projectId !== undefined,
    retry: false,
  })
  // Attaching a file loads the project too: without `isOlder`, the composer would disappear while it does.
  const lastUsed = isOlder && older.data?.status === 'active' ? [older.data] : []
  const projects = [...lastUsed, ...newest].filter(({ canEdit }) => canEdit)
  const agentOptions = agents.data?.pages.flatMap(({ items }) => items) ?? []
  const findOrFirst = <T extends { id: string }>(options: readonly T[], id: string | undefined) =>
    options.find((option) => option.id === id) ?? options[0]
  return {
    isPending: projectList.isPending || agents.isPending || (isOlder && older.isLoading),
    hasProjects: (projectList.data?.items.length ?? 0) > 0,
    projects,
    agents: agentOptions,
    projectId: findOrFirst(projects, target.projectId)?.id,
    agentId: findOrFirst(agentOptions, target.agentId)?.id,
    model,
    chooseModel,
    choose,
  }
}

type TargetOptions = ReturnType<typeof useTargetOptions>

export async function createFirstProject(): Promise<string> {
  const { id } = await api.projects.create({ name: t`First project` })
  void queryClient.invalidateQueries({ queryKey: ['projects'] })
  return id
}
