import { infiniteQueryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { api } from '../../../api/client.ts'

export type WorkspaceMember = OutputOf<Contract['workspaces']['members']>['items'][number]
export type WorkspaceRole = WorkspaceMember['role']

const PAGE_SIZE = 100

export const workspaceMembersQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['workspaces', id, 'members'],
    queryFn: ({ pageParam, signal }) =>
      api.workspaces.members({ id, cursor: pageParam, limit: PAGE_SIZE }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

export const WORKSPACE_ROLES: { value: WorkspaceRole; label: string }[] = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'editor', label: 'Editor' },
  { value: 'admin', label: 'Admin' },
]
