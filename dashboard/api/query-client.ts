import { QueryClient } from '@tanstack/react-query'
import { ApiFailure } from '../../client/client.ts'

const RETRIES_MAX = 2

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, retry: (tries, error) => tries < RETRIES_MAX && mayPass(error) },
    // A write that cannot reach the server fails in front of the person instead of waiting out of sight.
    mutations: { networkMode: 'always' },
  },
})

/**
 * Forgets what belongs to whoever was signed in. What the doors ask for stays: sign-in may be waiting for it already, and
 * a query that is taken away never answers.
 */
export const clearUserQueries = () =>
  queryClient.removeQueries({ predicate: ({ meta }) => meta?.isPublic !== true })

/** Only what may be different a moment later is tried again. */
function mayPass(error: unknown) {
  return error instanceof ApiFailure && (error.status === 0 || error.status >= 500)
}
