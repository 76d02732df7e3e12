import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { ApiFailure } from '../../../../client/client.ts'
import { type Session, sessionQuery } from '../../../api/session.ts'

interface SignInOptions {
  /** The path to open after sign-in. */
  next: string
  /** The first factor was accepted and the account requires a second one. */
  onSecondFactor: (token: string) => void
}

/** A mutation that returns a session: password, passkey, magic link, code or invitation. */
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

/** Stores the new session, clears cached data of a previous user, and opens the next page. */
export function useStartSession() {
  const router = useRouter()
  const queries = useQueryClient()
  return (session: Session, next: string) => {
    queries.clear()
    queries.setQueryData(sessionQuery.queryKey, session)
    router.history.replace(next)
  }
}

/** The token of a pending sign-in that requires a second factor. */
export function secondFactorTokenIn(error: unknown): string | undefined {
  if (!(error instanceof ApiFailure) || error.reason !== 'second_factor_required') return undefined
  const { ticket } = error.details as { ticket?: unknown }
  return typeof ticket === 'string' ? ticket : undefined
}

/** An emailed link that is invalid, used or expired; the server does not distinguish them. */
export const isUsedLink = (error: unknown) =>
  error instanceof ApiFailure &&
  (error.reason === 'link_spent' ||
    error.code === 'NOT_FOUND' ||
    Boolean(error.fieldMessage('body.token') ?? error.fieldMessage('query.token')))

/**
 * The path to open after sign-in: a path of this origin, or `/`. Browsers read `//host` and `/\host` as another
 * origin, and strip tabs and line breaks first; so the URL parser decides, not a pattern.
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
