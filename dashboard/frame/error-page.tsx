import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiFailure } from '../../client/client.ts'
import { Failure } from '../components/failure.tsx'
import { AuthFailure } from '../components/layout/auth-layout.tsx'

export function ErrorPage({ error }: ErrorComponentProps) {
  return <Failure page error={error} onRetry={useRetry(error)} />
}

/** For an error before the session is loaded. */
export function FramelessErrorPage({ error }: ErrorComponentProps) {
  return <AuthFailure error={error} onRetry={useRetry(error)} />
}

function useRetry(error: unknown) {
  const router = useRouter()
  const queryErrors = useQueryErrorResetBoundary()
  useEffect(() => queryErrors.reset(), [queryErrors])
  return () => (error instanceof ApiFailure ? void router.invalidate() : location.reload())
}
