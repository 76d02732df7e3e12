import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import { useEffect } from 'react'
import { ApiFailure } from '../../../client/client.ts'
import { door } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { sessionQuery } from '../../api/session.ts'
import { buttonClass } from '../../components/button.tsx'
import { Door } from '../../components/door.tsx'
import { DoorFailure } from '../../components/door-failure.tsx'
import { isSpentLink } from '../sign-in/way-in.ts'
import { SignInFirst } from './sign-in-first.tsx'

export function VerifyEmailPage() {
  const { hash } = useLocation()
  if (!hash) return <Spent />
  return <Verification key={hash} token={hash} />
}

function Verification({ token }: { token: string }) {
  // A query rather than a mutation: opening the page is the act, and it must happen once.
  const verified = useQuery({
    queryKey: ['verify-email', token],
    queryFn: () => door.signIn.verifyEmail({ token }),
    staleTime: Number.POSITIVE_INFINITY,
    retryOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const done = verified.isSuccess
  useEffect(() => {
    if (!done) return
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    void queryClient.invalidateQueries({ queryKey: ['security'] })
  }, [done])
  if (isSpentLink(verified.error)) return <Spent />
  if (isElsewhere(verified.error)) return <SignInFirst token={token} />
  if (verified.error) return <DoorFailure error={verified.error} onRetry={() => verified.refetch()} />
  if (!verified.data) {
    return (
      <Door title="Verifying your address">
        <p role="status" className="text-neutral-11">
          One moment.
        </p>
      </Door>
    )
  }
  return (
    <Door
      title="Your address is verified"
      lead={
        <>
          <span className="font-medium text-neutral-12">{verified.data.email}</span> is yours; mail about your
          account goes there.
        </>
      }
    >
      <p className="flex items-center gap-8 text-13 text-good-text" role="status">
        <MailCheck aria-hidden className="icon" />
        You can close this page, or go on.
      </p>
      <Link to="/" className={`self-start ${buttonClass('primary')}`}>
        Continue to Atrium
      </Link>
    </Door>
  )
}

/** The link is for an account that this browser is not signed in to; it stays good. */
const isElsewhere = (error: unknown) => error instanceof ApiFailure && error.reason === 'sign_in_first'

function Spent() {
  return (
    <Door
      title="This link does not work any more"
      lead="It was used before, is too old, or was not opened whole. Your account settings say whether the address is verified, and send a new link if it is not."
    >
      <Link to="/settings/account" className={`self-start ${buttonClass('primary')}`}>
        Go to your account
      </Link>
    </Door>
  )
}
