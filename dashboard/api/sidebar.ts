import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'

export type Favourite = OutputOf<Contract['favourites']['list']>['items'][number]

/**
 * In the user's order. Here because the sidebar needs it before the project routes load. Empty once the session has
 * ended.
 */
export const favouritesQuery = queryOptions({
  queryKey: ['favourites'],
  queryFn: async ({ signal }): Promise<Favourite[]> =>
    (await (await fetch('/api/v1/favourites', { signal })).json()).items ?? [],
  retry: false,
})

const REFETCH_MS = 15_000

/** For the sidebar, which doesn't load the notification routes. No count once the session has ended. */
export const unreadQuery = queryOptions({
  queryKey: ['notifications', 'count'],
  queryFn: async ({ signal }): Promise<number> =>
    (await (await fetch('/api/v1/notifications/count', { signal })).json()).unreadCount ?? 0,
  refetchInterval: REFETCH_MS,
  retry: false,
})
