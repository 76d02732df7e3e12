import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Contract } from '../../../contract/index.ts'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'

export type Home = OutputOf<Contract['home']['read']>
export type Attention = Home['attention'][number]
export type News = Home['news'][number]

export const homeQuery = queryOptions({
  queryKey: ['home'],
  queryFn: ({ signal }) => api.home.read(undefined, { signal }),
  // The user's actions on other pages show here immediately.
  staleTime: 0,
})

export const refreshHome = () => queryClient.invalidateQueries({ queryKey: homeQuery.queryKey })

/** Optimistic: doesn't wait for the server. */
export const patchHome = (change: (home: Home) => Partial<Home>) =>
  queryClient.setQueryData(homeQuery.queryKey, (home) => home && { ...home, ...change(home) })
