import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { door } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'
import { buttonClass } from '../../components/button.tsx'
import { Door } from '../../components/door.tsx'
import { DoorFailure } from '../../components/door-failure.tsx'
import { SecondFactor } from '../sign-in/second-factor.tsx'
import { isSpentLink } from '../sign-in/way-in.ts'
import { AcceptForm } from './accept-form.tsx'
import { WrongAccount } from './wrong-account.tsx'

export function InvitePage() {
  const { hash } = useLocation()
  return hash ? <Invitation key={hash} token={hash} /> : <Spent />
}

function Invitation({ token }: { token: string }) {
  const [ticket, setTicket] = useState<string>()
  const [spent, setSpent] = useState(false)
  const session = useQuery(sessionQuery)
  const invite = useQuery({
    queryKey: ['invite', token],
    queryFn: ({ signal }) => door.invites.read({ token }, { signal }),
  })
  if (ticket) {
    return <SecondFactor ticket={ticket} next={`/invite#${token}`} onStartOver={() => setTicket(undefined)} />
  }
  if (spent || isSpentLink(invite.error)) return <Spent />
  const error = invite.error ?? session.error
  if (error) {
    return (
      <DoorFailure
        error={error}
        onRetry={() => {
          void invite.refetch()
          void session.refetch()
        }}
      />
    )
  }
  if (!invite.data || session.data === undefined) return null
  const { organization, role, invitedBy, email } = invite.data
  const signedInAs = session.data?.user.email
  return (
    <Door
      title={`Join ${organization.name}`}
      lead={
        <>
          {invitedBy} invites <span className="font-medium text-neutral-12">{email}</span> as{' '}
          {role === 'admin' ? 'an admin, who manages members and settings' : 'a member'}.
        </>
      }
    >
      {signedInAs && signedInAs !== email ? (
        <WrongAccount signedInAs={signedInAs} invited={email} />
      ) : (
        <AcceptForm
          token={token}
          invite={invite.data}
          signedIn={Boolean(signedInAs)}
          onSecondFactor={setTicket}
          onSpent={() => setSpent(true)}
        />
      )}
    </Door>
  )
}

function Spent() {
  return (
    <Door
      title="This invitation does not work any more"
      lead="It was accepted, withdrawn or replaced by a newer one, or its seven days are over. If you joined already, sign in; otherwise ask whoever invited you for a new one."
    >
      <Link to="/sign-in" className={`self-start ${buttonClass()}`}>
        Go to sign-in
      </Link>
    </Door>
  )
}
