import lines from 'virtual:mcp-server-routes'
import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { type LateContract, signedInApi } from './client.ts'
import { queryClient } from './query-client.ts'

export const mcpServerApi = signedInApi<LateContract<'mcp-server'>>(lines)

/** Members below admin get only the summary fields. */
export type McpServer = OutputOf<Contract['mcpServers']['list']>['items'][number]
export type McpServerDetails = OutputOf<Contract['mcpServers']['create']>
export type McpTool = McpServerDetails['tools'][number]
export type McpDefinition = NonNullable<McpTool['current']>

export const mcpServersQuery = queryOptions({
  queryKey: ['mcp-servers'] as const,
  queryFn: ({ signal }) => mcpServerApi.mcpServers.list(undefined, { signal }),
})

export const mcpServerQuery = (id: string) =>
  queryOptions({
    queryKey: ['mcp-servers', id] as const,
    queryFn: ({ signal }) => mcpServerApi.mcpServers.get({ id }, { signal }),
  })

export const mcpCallsQuery = (id: string) =>
  queryOptions({
    queryKey: ['mcp-servers', id, 'calls'] as const,
    queryFn: ({ signal }) => mcpServerApi.mcpServers.calls({ id }, { signal }),
  })

export const refreshMcpServers = () => queryClient.invalidateQueries({ queryKey: ['mcp-servers'] })

export async function cacheMcpServer(server: McpServerDetails): Promise<void> {
  queryClient.setQueryData(mcpServerQuery(server.id).queryKey, server)
  await refreshMcpServers()
}
