import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { api } from '../../../api/client.ts'

export type Submission = OutputOf<Contract['feedback']['get']>
export type Comment = OutputOf<Contract['feedback']['comment']>

const PAGE_SIZE = 50

/** Your own submissions, newest first. */
export const submissionsQuery = infiniteQueryOptions({
  queryKey: ['feedback', 'list'],
  queryFn: ({ pageParam, signal }) => api.feedback.list({ limit: PAGE_SIZE, offset: pageParam }, { signal }),
  initialPageParam: 0,
  getNextPageParam: ({ offset, items, total }) => {
    const next = offset + items.length
    return items.length > 0 && next < total ? next : undefined
  },
})

export const submissionQuery = (id: string) =>
  queryOptions({
    queryKey: ['feedback', 'item', id],
    queryFn: ({ signal }) => api.feedback.get({ id }, { signal }),
  })

export const commentsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['feedback', 'comments', id],
    queryFn: ({ pageParam, signal }) => api.feedback.comments({ id, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
