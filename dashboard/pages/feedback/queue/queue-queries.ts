import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { FeedbackStatus } from '../../../../contract/feedback.ts'
import type { Contract } from '../../../../contract/index.ts'
import { api } from '../../../api/client.ts'

type QueuePage = OutputOf<Contract['feedback']['queue']>
export type QueuedItem = QueuePage['items'][number]
export type InspectedItem = OutputOf<Contract['feedback']['inspect']>
export type QueueData = InfiniteData<QueuePage, string | undefined>

const REFRESH_MS = 15_000

export const queueQuery = (status: FeedbackStatus | undefined) =>
  infiniteQueryOptions({
    queryKey: ['queue', 'list', status ?? 'all'],
    queryFn: ({ pageParam, signal }) => api.feedback.queue({ status, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: REFRESH_MS,
  })

export const inspectQuery = (id: string) =>
  queryOptions({
    queryKey: ['queue', 'item', id],
    queryFn: ({ signal }) => api.feedback.inspect({ id }, { signal }),
    refetchInterval: REFRESH_MS,
  })
