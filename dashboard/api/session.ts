import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { ApiFailure } from '../../client/client.ts'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { publicApi } from './client.ts'

export type Session = OutputOf<Contract['accounts']['session']>

/** The signed-in person, or null. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) =>
    publicApi.accounts.session(undefined, { signal }).catch((error: unknown): null => {
      if (error instanceof ApiFailure && error.code === 'UNAUTHORIZED') return null
      throw error
    }),
  staleTime: 60_000,
})

/** For pages inside the frame, which the router opens to signed-in people only. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery)
  if (!data) throw new ApiFailure(401, { code: 'UNAUTHORIZED', message: 'You are signed out' })
  return data
}
