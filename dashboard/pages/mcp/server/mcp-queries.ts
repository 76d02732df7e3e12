import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { api } from '../../../api/client.ts'
import { organizationApi } from '../../../api/organizations.ts'

export type ConnectedApp = OutputOf<Contract['connectedApps']['list']>['items'][number]
export type ToolCalls = OutputOf<Contract['mcpCalls']['list']>['items'][number]

export const connectedAppsQuery = queryOptions({
  queryKey: ['connected-apps'],
  queryFn: ({ signal }) => api.connectedApps.list(undefined, { signal }),
})

export const mcpCallsQuery = queryOptions({
  queryKey: ['mcp-calls'],
  queryFn: ({ signal }) => organizationApi.mcpCalls.list(undefined, { signal }),
})
