import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { use } from 'react'
import { ApiFailure } from '../../client/client.ts'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { openSignIn, publicApi } from './client.ts'

export type Session = OutputOf<Contract['accounts']['session']>

/** Null if signed out. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) =>
    publicApi.accounts.session(undefined, { signal }).catch((error: unknown): null => {
      if (error instanceof ApiFailure && error.code === 'UNAUTHORIZED') return null
      throw error
    }),
  staleTime: 60_000,
})

const NEVER = new Promise<Session>(() => {})

/**
 * For pages below the `app` route, which requires a session. If the session has ended, suspends until the sign-in page
 * opens.
 */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery)
  if (data) return data
  queueMicrotask(openSignIn)
  return use(NEVER)
}
