import { queryOptions } from '@tanstack/react-query'
import { door } from '../../api/client.ts'

/** Whether this server waits for its first owner. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: () => door.accounts.setupState(),
  staleTime: 0,
  meta: { forAnybody: true },
})

/** Which ways in this server offers; they change with its configuration only. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['ways-in'],
  queryFn: ({ signal }) => door.oauth.providers(undefined, { signal }),
  staleTime: 300_000,
  meta: { forAnybody: true },
})
