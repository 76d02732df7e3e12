import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { api } from './client.ts'
import { queryClient } from './query-client.ts'
import { countsQuery } from './sidebar.ts'

export type Approval = OutputOf<Contract['approvals']['decide']>
export type ApprovalGrant = OutputOf<Contract['approvals']['grants']>['items'][number]

const REFETCH_MS = 15_000
const PAGE_SIZE = 50

export const openApprovalsQuery = infiniteQueryOptions({
  queryKey: ['approvals', 'open'] as const,
  queryFn: ({ pageParam: cursor, signal }) => api.approvals.list({ limit: PAGE_SIZE, cursor }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  refetchInterval: REFETCH_MS,
})

export const decidedApprovalsQuery = infiniteQueryOptions({
  queryKey: ['approvals', 'decided'] as const,
  queryFn: ({ pageParam: cursor, signal }) =>
    api.approvals.list({ decided: 'true', limit: PAGE_SIZE, cursor }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
})

export const approvalQuery = (id: string) =>
  queryOptions({
    queryKey: ['approvals', 'one', id],
    queryFn: ({ signal }) => api.approvals.get({ id }, { signal }),
    refetchInterval: REFETCH_MS,
  })

export const runApprovalsQuery = (runId: string) =>
  queryOptions({
    queryKey: ['approvals', 'run', runId],
    queryFn: ({ signal }) => api.approvals.list({ runId, limit: PAGE_SIZE }, { signal }),
  })

export const grantsQuery = queryOptions({
  queryKey: ['approvals', 'grants'],
  queryFn: ({ signal }) => api.approvals.grants({}, { signal }),
})

export const refreshApprovals = () =>
  Promise.all(
    [['approvals'], ['runs'], countsQuery.queryKey].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )
