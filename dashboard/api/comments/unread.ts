import { queryOptions } from '@tanstack/react-query'

const REFETCH_MS = 15_000

/**
 * The number of unread notifications, for the sidebar, which does not load the routes of notifications. A session
 * that has ended shows no count.
 */
export const unreadQuery = queryOptions({
  queryKey: ['notifications', 'count'],
  queryFn: async ({ signal }): Promise<number> =>
    (await (await fetch('/api/v1/notifications/count', { signal })).json()).unreadCount ?? 0,
  refetchInterval: REFETCH_MS,
  retry: false,
})
