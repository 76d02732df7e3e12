import { queryOptions } from '@tanstack/react-query'
import { publicApi } from '../../../api/client.ts'

export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: () => publicApi.accounts.setupState(),
  staleTime: 0,
  meta: { isPublic: true },
})

/** Changes only with the server's configuration. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: ({ signal }) => publicApi.oauth.providers(undefined, { signal }),
  staleTime: 300_000,
  meta: { isPublic: true },
})
