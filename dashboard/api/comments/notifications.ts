import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { NotificationKind } from '../../../contract/comments/notification-options.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { LateContract } from '../client.ts'
import { queryClient } from '../query-client.ts'
import { commentApi } from './comments.ts'

export type Notification = OutputOf<LateContract<'comment'>['notifications']['list']>['items'][number]
export type NotificationSettings = OutputOf<LateContract<'comment'>['notifications']['settings']>

const REFETCH_MS = 15_000

export interface InboxFilter {
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
  await queryClient.invalidateQueries({ queryKey: ['notifications'] })
}
