import { queryOptions, useQuery } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { api } from './client.ts'
import { useSession } from './session.ts'

export type Workspace = OutputOf<Contract['workspaces']['list']>['items'][number]

export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: ({ signal }) => api.workspaces.list(undefined, { signal }),
})

/** For files outside projects. True until the workspaces load; the server decides. */
export function useCanEditFiles(): boolean {
  const { workspaces, isAdmin } = useOwnWorkspaces()
  return isAdmin || (workspaces?.some(({ canEdit }) => canEdit) ?? true)
}

/** Agents belong to the whole organization. Undefined until the workspaces load. */
export function useCanEditAgents(): boolean | undefined {
  const { workspaces, isAdmin } = useOwnWorkspaces()
  return isAdmin || workspaces?.some(({ canEdit }) => canEdit)
}

/** In the active workspace. True until the workspaces load. */
export function useCanCreateProjects(): boolean {
  const { workspace } = useSession()
  const { workspaces, isAdmin } = useOwnWorkspaces()
  return isAdmin || (workspaces?.some(({ id, canEdit }) => id === workspace?.id && canEdit) ?? true)
}

/** Owners and admins can edit everywhere, so their pages don't wait for the list. */
function useOwnWorkspaces() {
  const isAdmin = useSession().role !== 'member'
  const { data } = useQuery({ ...workspacesQuery, enabled: !isAdmin })
  return { workspaces: data?.items, isAdmin }
}
