import { queryOptions } from '@tanstack/react-query'
import { publicApi } from '../../api/client.ts'

/** Whether this server waits for its first owner. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: () => publicApi.accounts.setupState(),
  staleTime: 0,
  meta: { isPublic: true },
})

/** Which ways in this server offers; they change with its configuration only. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['ways-in'],
  queryFn: ({ signal }) => publicApi.oauth.providers(undefined, { signal }),
  staleTime: 300_000,
  meta: { isPublic: true },
})
