import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { queryClient } from './query-client.ts'

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

export interface SidebarCounts {
  /** Open decisions, and unread notifications about anything else. */
  inbox: number
  unread: number
  decisions: number
  live: number
  memory: number
  budgets: number
  phone: boolean
}

const NO_COUNTS: SidebarCounts = {
  inbox: 0,
  unread: 0,
  decisions: 0,
  live: 0,
  memory: 0,
  budgets: 0,
  phone: false,
}

/**
 * One request for everything the sidebar counts. No counts once the session has ended: the sidebar alone must not send
 * the user away from a page.
 */
export const countsQuery = queryOptions({
  queryKey: ['home', 'counts'],
  queryFn: async ({ signal }): Promise<SidebarCounts> => {
    const response = await fetch('/api/v1/home/counts', { signal })
    if (!response.ok) return NO_COUNTS
    return await response.json()
  },
  refetchInterval: REFETCH_MS,
  retry: false,
})

/** After the user decides, reads or changes something that is counted. */
export const refreshCounts = () => queryClient.invalidateQueries({ queryKey: countsQuery.queryKey })
