import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { ApiFailure } from '../../../client/client.ts'
import { type Session, sessionQuery } from '../../api/session.ts'

interface Way {
  /** Where the person goes on to. */
  next: string
  /** The first factor was right, and the account has a second one. */
  onSecondFactor: (ticket: string) => void
}

/** A proof that is answered with a session, whichever proof it is. */
export function useSignIn<Values = void>(submit: (values: Values) => Promise<Session>, way: Way) {
  const enter = useStartSession()
  return useMutation({
    mutationFn: submit,
    onSuccess: (session) => enter(session, way.next),
    onError: (error) => {
      const ticket = secondFactorTokenIn(error)
      if (ticket) way.onSecondFactor(ticket)
    },
  })
}

/** Goes on as the person of a new session; what was known of anybody before is forgotten. */
export function useStartSession() {
  const router = useRouter()
  const queries = useQueryClient()
  return (session: Session, next: string) => {
    queries.clear()
    queries.setQueryData(sessionQuery.queryKey, session)
    router.history.replace(next)
  }
}

/** The ticket with which a half-finished sign-in goes on. */
export function secondFactorTokenIn(error: unknown): string | undefined {
  if (!(error instanceof ApiFailure) || error.reason !== 'second_factor_required') return undefined
  const { ticket } = error.details as { ticket?: unknown }
  return typeof ticket === 'string' ? ticket : undefined
}

/** A mailed link that is wrong, was used or is too old; the server does not say which, and neither is any use. */
export const isUsedLink = (error: unknown) =>
  error instanceof ApiFailure &&
  (error.reason === 'link_spent' ||
    error.code === 'NOT_FOUND' ||
    Boolean(error.fieldMessage('body.token') ?? error.fieldMessage('query.token')))

export const fieldMessage = (error: unknown, field: string) =>
  error instanceof ApiFailure ? error.fieldMessage(`body.${field}`) : undefined
