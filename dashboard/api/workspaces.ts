import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { api } from './client.ts'

export type Workspace = OutputOf<Contract['workspaces']['list']>['items'][number]

/** The workspaces the user can see; shared by the switcher and the settings. */
export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: ({ signal }) => api.workspaces.list(undefined, { signal }),
})
