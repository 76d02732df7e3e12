import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { buttonClass } from '../../../components/button.tsx'
import { AuthFailure, AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { setupQuery } from '../sign-in/sign-in-queries.ts'
import { SetupForm } from './setup-form.tsx'

export function SetupPage() {
  const [token] = useState(() => location.hash.slice(1))
  const setup = useQuery(setupQuery)

  if (setup.error && !setup.data) return <AuthFailure error={setup.error} onRetry={() => setup.refetch()} />
  if (!setup.data) return null
  if (!setup.data.needed) return <OwnerExists />
  if (!token) return <LinkIncomplete />
  return (
    <AuthLayout title="Set up Atrium" lead="Create the owner account of this server. The link works once.">
      <SetupForm token={token} />
    </AuthLayout>
  )
}

function OwnerExists() {
  return (
    <AuthLayout
      title="This server is already set up"
      lead="Sign in to continue, or ask the operator of this server for access."
    >
      <Link to="/sign-in" className={`self-start ${buttonClass('primary')}`}>
        Sign in
      </Link>
    </AuthLayout>
  )
}

function LinkIncomplete() {
  return (
    <AuthLayout
      title="This setup link is incomplete"
      lead="The part after # is missing. Copy the whole link from the server log, or restart the server to get a new one."
    >
      <Link to="/sign-in" className="text-accent-text underline underline-offset-4">
        Go to sign in
      </Link>
    </AuthLayout>
  )
}
