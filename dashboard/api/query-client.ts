import { QueryClient } from '@tanstack/react-query'
import { ApiFailure } from '../../client/client.ts'

const RETRIES_MAX = 2

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, retry: (failures, error) => failures < RETRIES_MAX && isTransient(error) },
    // Fail visibly instead of waiting in the background.
    mutations: { networkMode: 'always' },
  },
})

/** Keeps signed-out pages' queries: the sign-in page may already wait for one, and a removed query never resolves. */
export const clearUserQueries = () =>
  queryClient.removeQueries({ predicate: ({ meta }) => meta?.isPublic !== true })

function isTransient(error: unknown) {
  return error instanceof ApiFailure && (error.status === 0 || error.status >= 500)
}
