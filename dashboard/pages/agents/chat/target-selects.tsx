import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { t } from '../../../../contract/text.ts'
import { agentsQuery } from '../../../api/agents.ts'
import { api } from '../../../api/client.ts'
import { newestProjectsQuery, projectQuery } from '../../../api/projects.ts'
import { queryClient } from '../../../api/query-client.ts'
import { type Target, useTarget } from '../../../components/conversation/remembered-target.ts'
import { InlineSelect } from '../../../components/forms/select.tsx'

export function TargetSelects({ options }: { options: TargetOptions }) {
  const { projects, agents, projectId, agentId, choose } = options
  return (
    <>
      {projectId !== undefined && (
        <InlineSelect
          label="Project"
          value={projectId}
          options={projects.map(({ id, name, emoji }) => ({ value: id, label: labelOf(name, emoji) }))}
          onChoose={(id) => choose({ projectId: id })}
          narrow
        />
      )}
      {agentId !== undefined && (
        <InlineSelect
          label="Agent"
          value={agentId}
          options={agents.map(({ id, name, emoji }) => ({ value: id, label: labelOf(name, emoji) }))}
          onChoose={(id) => choose({ agentId: id })}
          narrow
        />
      )}
    </>
  )
}

const labelOf = (name: string, emoji: string | null) => (emoji ? `${emoji} ${name}` : name)

/** Preselects the last used, else the first. */
export function useTargetOptions(initial: Target) {
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
  const lastUsed = older.data?.status === 'active' ? [older.data] : []
  const projects = [...lastUsed, ...newest].filter(({ canEdit }) => canEdit)
  const agentOptions = agents.data?.pages.flatMap(({ items }) => items) ?? []
  const findOrFirst = <T extends { id: string }>(options: readonly T[], id: string | undefined) =>
    options.find((option) => option.id === id) ?? options[0]
  return {
    isPending: projectList.isPending || agents.isPending || older.isLoading,
    hasProjects: (projectList.data?.items.length ?? 0) > 0,
    projects,
    agents: agentOptions,
    projectId: findOrFirst(projects, target.projectId)?.id,
    agentId: findOrFirst(agentOptions, target.agentId)?.id,
    choose,
  }
}

type TargetOptions = ReturnType<typeof useTargetOptions>

export async function createFirstProject(): Promise<string> {
  const { id } = await api.projects.create({ name: t`First project` })
  void queryClient.invalidateQueries({ queryKey: ['projects'] })
  return id
}
