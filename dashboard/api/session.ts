import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { ApiFailure } from '../../client/client.ts'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { publicApi } from './client.ts'

export type Session = OutputOf<Contract['accounts']['session']>

/** The session, or null if signed out. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) =>
    publicApi.accounts.session(undefined, { signal }).catch((error: unknown): null => {
      if (error instanceof ApiFailure && error.code === 'UNAUTHORIZED') return null
      throw error
    }),
  staleTime: 60_000,
})

/** For pages below the `app` route, which requires a session. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery)
  if (!data) throw new ApiFailure(401, { code: 'UNAUTHORIZED', message: 'You are signed out' })
  return data
}
