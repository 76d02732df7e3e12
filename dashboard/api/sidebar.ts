import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'

export type Favourite = OutputOf<Contract['favourites']['list']>['items'][number]

/**
 * The favorite projects of the user, in the order that the user chose. The sidebar needs them before the routes of
 * projects, which load with their pages. A session that has ended shows none.
 */
export const favouritesQuery = queryOptions({
  queryKey: ['favourites'],
  queryFn: async ({ signal }): Promise<Favourite[]> =>
    (await (await fetch('/api/v1/favourites', { signal })).json()).items ?? [],
  retry: false,
})

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
