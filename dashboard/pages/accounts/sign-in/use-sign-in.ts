import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { ApiFailure } from '../../../../client/client.ts'
import { type Session, sessionQuery } from '../../../api/session.ts'

interface SignInOptions {
  next: string
  onSecondFactor: (token: string) => void
}

export function useSignIn<Values = void>(
  submit: (values: Values) => Promise<Session>,
  options: SignInOptions,
) {
  const startSession = useStartSession()
  return useMutation({
    mutationFn: submit,
    onSuccess: (session) => startSession(session, options.next),
    onError: (error) => {
      const token = secondFactorTokenIn(error)
      if (token) options.onSecondFactor(token)
    },
  })
}

/** Also clears a previous user's cached data. */
export function useStartSession() {
  const router = useRouter()
  const queries = useQueryClient()
  return (session: Session, next: string) => {
    queries.clear()
    queries.setQueryData(sessionQuery.queryKey, session)
    router.history.replace(next)
  }
}

export function secondFactorTokenIn(error: unknown): string | undefined {
  if (!(error instanceof ApiFailure) || error.reason !== 'second_factor_required') return undefined
  const { ticket: token } = error.details as { ticket?: unknown }
  return typeof token === 'string' ? token : undefined
}

/** Invalid, used or expired; the server doesn't distinguish them. */
export const isUsedLink = (error: unknown) =>
  error instanceof ApiFailure &&
  (error.reason === 'link_spent' ||
    error.code === 'NOT_FOUND' ||
    Boolean(error.fieldMessage('body.token') ?? error.fieldMessage('query.token')))

/**
 * Returns a path on this origin, or `/`. Browsers read `//host` and `/\host` as another origin, after stripping tabs
 * and line breaks, so the URL parser decides, not a pattern.
 */
export function nextPath(next: string | undefined): string {
  if (!next?.startsWith('/')) return '/'
  try {
    const url = new URL(next, location.origin)
    if (url.origin !== location.origin || url.pathname.startsWith('//')) return '/'
    return url.pathname + url.search + url.hash
  } catch {
    return '/'
  }
}
