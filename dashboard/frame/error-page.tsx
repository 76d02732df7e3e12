import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiFailure } from '../../client/client.ts'
import { Failure } from '../components/failure.tsx'
import { AuthFailure } from '../components/layout/auth-layout.tsx'

/** The error state of a page inside the app frame. */
export function ErrorPage({ error }: ErrorComponentProps) {
  return <Failure page error={error} onRetry={useRetry(error)} />
}

/** The error state without the app frame, for an error before the session is loaded. */
export function FramelessErrorPage({ error }: ErrorComponentProps) {
  return <AuthFailure error={error} onRetry={useRetry(error)} />
}

/** Repeats a failed request; reloads the page after an error of the dashboard itself. */
function useRetry(error: unknown) {
  const router = useRouter()
  const queryErrors = useQueryErrorResetBoundary()
  useEffect(() => queryErrors.reset(), [queryErrors])
  return () => (error instanceof ApiFailure ? void router.invalidate() : location.reload())
}
