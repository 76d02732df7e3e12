import { queryOptions } from '@tanstack/react-query'
import { publicApi } from '../../../api/client.ts'

/** Whether the first owner is still to be created. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: () => publicApi.accounts.setupState(),
  staleTime: 0,
  meta: { isPublic: true },
})

/** The sign-in methods of this server; they change only with its configuration. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: ({ signal }) => publicApi.oauth.providers(undefined, { signal }),
  staleTime: 300_000,
  meta: { isPublic: true },
})
