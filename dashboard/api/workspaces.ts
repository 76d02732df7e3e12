import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { api } from './client.ts'

export type Workspace = OutputOf<Contract['workspaces']['list']>['items'][number]

/** The workspaces one can see; the switcher and the settings show the same. */
export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: ({ signal }) => api.workspaces.list(undefined, { signal }),
})
