import { queryOptions, useQuery } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { api } from './client.ts'
import { useSession } from './session.ts'

export type Workspace = OutputOf<Contract['workspaces']['list']>['items'][number]

/** The workspaces the user can see; shared by the switcher and the settings. */
export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: ({ signal }) => api.workspaces.list(undefined, { signal }),
})

/** Whether the user can change files outside of projects. True until the workspaces are loaded; the server decides. */
export function useCanEditFiles(): boolean {
  const { workspaces, isAdmin } = useOwnWorkspaces()
  return isAdmin || (workspaces?.some(({ canEdit }) => canEdit) ?? true)
}

/** Whether the user can change agents, which belong to the whole organization. Undefined until the workspaces are loaded. */
export function useCanEditAgents(): boolean | undefined {
  const { workspaces, isAdmin } = useOwnWorkspaces()
  return isAdmin || workspaces?.some(({ canEdit }) => canEdit)
}

/** Whether the user can create projects in the active workspace. True until the workspaces are loaded. */
export function useCanCreateProjects(): boolean {
  const { workspace } = useSession()
  const { workspaces, isAdmin } = useOwnWorkspaces()
  return isAdmin || (workspaces?.some(({ id, canEdit }) => id === workspace?.id && canEdit) ?? true)
}

/** Owners and admins can edit everywhere, so that their pages do not wait for the list. */
function useOwnWorkspaces() {
  const isAdmin = useSession().role !== 'member'
  const { data } = useQuery({ ...workspacesQuery, enabled: !isAdmin })
  return { workspaces: data?.items, isAdmin }
}
