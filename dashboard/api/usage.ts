import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { api } from './client.ts'
import { queryClient } from './query-client.ts'
import { countsQuery } from './sidebar.ts'

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

export const refreshBudgets = () =>
  Promise.all(
    [budgetsQuery.queryKey, countsQuery.queryKey].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )
