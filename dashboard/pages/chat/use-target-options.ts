import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { agentsQuery } from '../../api/agents.ts'
import { newestProjectsQuery } from '../../api/projects.ts'
import { type Target, useTarget } from './remembered-target.ts'

/** The projects and agents of a new chat, and the selected ones: those of the latest chat, else the first. */
export function useTargetOptions(initial: Target) {
  const { target, choose } = useTarget({
    ...(initial.projectId && { projectId: initial.projectId }),
    ...(initial.agentId && { agentId: initial.agentId }),
  })
  const projectList = useQuery(newestProjectsQuery)
  const agents = useInfiniteQuery(agentsQuery({}))
  const projects = (projectList.data?.items ?? []).filter(({ canEdit }) => canEdit)
  const agentOptions = agents.data?.pages.flatMap(({ items }) => items) ?? []
  const findOrFirst = <T extends { id: string }>(options: readonly T[], id: string | undefined) =>
    options.find((option) => option.id === id) ?? options[0]
  return {
    isPending: projectList.isPending || agents.isPending,
    hasProjects: (projectList.data?.items.length ?? 0) > 0,
    projects,
    agents: agentOptions,
    projectId: findOrFirst(projects, target.projectId)?.id,
    agentId: findOrFirst(agentOptions, target.agentId)?.id,
    choose,
  }
}

export type TargetOptions = ReturnType<typeof useTargetOptions>
