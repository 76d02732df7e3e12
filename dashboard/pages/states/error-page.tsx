import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiFailure } from '../../../client/client.ts'
import { Failure } from '../../components/failure.tsx'
import { AuthFailure } from '../../components/layout/auth-failure.tsx'

/** Stands in for a page that could not be shown, inside the frame. */
export function ErrorPage({ error }: ErrorComponentProps) {
  return <Failure page error={error} onRetry={useRetry(error)} />
}

/** The same where the frame itself could not be shown, because nobody knows yet who is there. */
export function FramelessErrorPage({ error }: ErrorComponentProps) {
  return <AuthFailure error={error} onRetry={useRetry(error)} />
}

/** A refused call is made again; a fault of the dashboard needs a fresh start. */
function useRetry(error: unknown) {
  const router = useRouter()
  const queryErrors = useQueryErrorResetBoundary()
  useEffect(() => queryErrors.reset(), [queryErrors])
  return () => (error instanceof ApiFailure ? void router.invalidate() : location.reload())
}
