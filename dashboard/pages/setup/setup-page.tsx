import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { door } from '../../api/client.ts'
import { Door } from '../../components/door.tsx'
import { DoorFailure } from '../../components/door-failure.tsx'
import { SetupForm } from './setup-form.tsx'

export function SetupPage() {
  const [token] = useState(() => location.hash.slice(1))
  const navigate = useNavigate()
  const setup = useQuery({ queryKey: ['setup'], queryFn: () => door.accounts.setupState(), staleTime: 0 })
  const done = setup.data?.needed === false

  useEffect(() => {
    if (done) void navigate({ to: '/sign-in', replace: true })
  }, [done, navigate])

  if (setup.error) return <DoorFailure error={setup.error} onRetry={() => setup.refetch()} />
  if (!setup.data || done) return null
  if (!token) return <LinkIncomplete />
  return (
    <Door
      title="Set up Atrium"
      lead="This creates the first account, which owns this server. The link works once."
    >
      <SetupForm token={token} />
    </Door>
  )
}

function LinkIncomplete() {
  return (
    <Door
      title="This setup link is incomplete"
      lead="The part after # is missing. Open the whole link as the server printed it when it started, or restart the server to get a new one."
    >
      <Link to="/sign-in" className="text-accent-text underline underline-offset-4">
        Go to sign-in
      </Link>
    </Door>
  )
}
