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
  const listed = useQuery(newestProjectsQuery)
  const agents = useInfiniteQuery(agentsQuery({}))
  const projects = (listed.data?.items ?? []).filter(({ canEdit }) => canEdit)
  const agentOptions = agents.data?.pages.flatMap(({ items }) => items) ?? []
  const chosen = <T extends { id: string }>(options: readonly T[], id: string | undefined) =>
    options.find((option) => option.id === id) ?? options[0]
  return {
    isPending: listed.isPending || agents.isPending,
    hasProjects: (listed.data?.items.length ?? 0) > 0,
    projects,
    agents: agentOptions,
    projectId: chosen(projects, target.projectId)?.id,
    agentId: chosen(agentOptions, target.agentId)?.id,
    choose,
  }
}

export type TargetOptions = ReturnType<typeof useTargetOptions>
