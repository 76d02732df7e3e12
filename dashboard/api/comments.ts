import lines from 'virtual:comment-routes'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { NotificationKind } from '../../contract/comments/notification-options.ts'
import type { OutputOf, RequestOf } from '../../contract/endpoint.ts'
import { createGuestApi, type LateContract, signedInApi } from './client.ts'
import { queryClient } from './query-client.ts'
import { refreshCounts } from './sidebar.ts'

export type Comment = OutputOf<LateContract<'comment'>['comments']['create']>
export type Thread = OutputOf<LateContract<'comment'>['comments']['get']>
export type CommentState = 'open' | 'resolved'

export const commentApi = signedInApi<LateContract<'comment'>>(lines)
export type CommentApi = typeof commentApi

export const guestCommentApi = (headers: () => Record<string, string>): CommentApi =>
  createGuestApi<LateContract<'comment'>>(lines, headers)

export interface Subject {
  target: RequestOf<LateContract<'comment'>['comments']['list']>['target']
  /** For a block. */
  projectId?: string
}

export const threadsQuery = (api: CommentApi, subject: Subject, state: CommentState) =>
  infiniteQueryOptions({
    queryKey: ['comments', 'threads', subject.target, state],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.comments.list({ ...subject, state, limit: 50, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

export const repliesQuery = (api: CommentApi, subject: Subject, parentId: string) =>
  infiniteQueryOptions({
    queryKey: ['comments', 'replies', parentId],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.comments.list({ ...subject, parentId, limit: 50, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

export const countsQuery = (api: CommentApi, projectId: string) =>
  queryOptions({
    queryKey: ['comments', 'counts', projectId],
    queryFn: ({ signal }) => api.comments.counts({ projectId }, { signal }),
  })

export const peopleQuery = (api: CommentApi, subject: Subject, search: string) =>
  queryOptions({
    queryKey: ['comment-people', subject.target, search],
    queryFn: ({ signal }) => api.comments.people({ ...subject, search }, { signal }),
    staleTime: 60_000,
  })

export const refreshComments = () => queryClient.invalidateQueries({ queryKey: ['comments'] })

export type Notification = OutputOf<LateContract<'comment'>['notifications']['list']>['items'][number]
export type NotificationSettings = OutputOf<LateContract<'comment'>['notifications']['settings']>

const REFETCH_MS = 15_000

interface InboxFilter {
  unread: boolean
  kind?: NotificationKind | undefined
}

export const notificationsQuery = ({ unread, kind }: InboxFilter) =>
  infiniteQueryOptions({
    queryKey: ['notifications', 'list', { unread, kind }],
    queryFn: ({ pageParam: cursor, signal }) =>
      commentApi.notifications.list({ unread: unread ? 'true' : 'false', kind, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: REFETCH_MS,
  })

export const notificationSettingsQuery = queryOptions({
  queryKey: ['notification-settings'],
  queryFn: ({ signal }) => commentApi.notifications.settings(undefined, { signal }),
})

export async function markRead(selection: { ids: string[] } | { all: true }, read = true): Promise<void> {
  await commentApi.notifications.read({ ...selection, read })
  await Promise.all([queryClient.invalidateQueries({ queryKey: ['notifications'] }), refreshCounts()])
}
