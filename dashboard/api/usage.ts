import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { api, publicApi } from './client.ts'
import { queryClient } from './query-client.ts'

export type Usage = OutputOf<Contract['usage']['get']>
export type UsageItem = Usage['items'][number]
export type Budget = OutputOf<Contract['budgets']['list']>['items'][number]

export interface UsageParams {
  from: string
  to: string
  groupBy: Usage['groupBy']
  projectId?: string
  agentId?: string
}

export const usageQuery = (params: UsageParams) =>
  queryOptions({
    queryKey: ['usage', params],
    queryFn: ({ signal }) => api.usage.get(params, { signal }),
  })

const BUDGETS_REFETCH_MS = 15_000

export const budgetsQuery = queryOptions({
  queryKey: ['budgets'],
  queryFn: ({ signal }) => api.budgets.list(undefined, { signal }),
  refetchInterval: BUDGETS_REFETCH_MS,
})

const PAUSED_REFETCH_MS = 60_000

/** As with approvals, the sidebar alone must not open the sign-in page. */
export const pausedCountQuery = queryOptions({
  queryKey: [...budgetsQuery.queryKey, 'paused'],
  queryFn: async ({ signal }) => {
    const { items } = await publicApi.budgets.list(undefined, { signal })
    return items.filter(({ state, onReach }) => state === 'reached' && onReach === 'pause').length
  },
  refetchInterval: PAUSED_REFETCH_MS,
  retry: false,
})

export const refreshBudgets = () => queryClient.invalidateQueries({ queryKey: budgetsQuery.queryKey })
