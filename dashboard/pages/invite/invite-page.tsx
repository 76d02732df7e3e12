import { useState } from 'react'
import { publicApi } from '../../api/client.ts'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'
import { SecondFactor } from '../sign-in/second-factor.tsx'
import { AcceptForm } from './accept-form.tsx'
import { Invitation } from './invitation.tsx'
import { WrongAccount } from './wrong-account.tsx'

export function InvitePage() {
  const [asked, setAsked] = useState<{ ticket: string; token: string }>()
  if (asked) {
    const { ticket, token } = asked
    return <SecondFactor ticket={ticket} next={`/invite#${token}`} onStartOver={() => setAsked(undefined)} />
  }
  return (
    <Invitation
      kind="invite"
      read={(token, signal) => publicApi.invites.read({ token }, { signal })}
      spentLead="It was accepted, withdrawn or replaced by a newer one, or its seven days are over."
    >
      {({ token, invite, signedInAs, onSpent }) => (
        <AuthLayout
          title={`Join ${invite.organization.name}`}
          lead={
            <>
              {invite.invitedBy} invites <span className="font-medium text-neutral-12">{invite.email}</span>{' '}
              as {invite.role === 'admin' ? 'an admin, who manages members and settings' : 'a member'}.
            </>
          }
        >
          {signedInAs && signedInAs !== invite.email ? (
            <WrongAccount signedInAs={signedInAs} invited={invite.email} />
          ) : (
            <AcceptForm
              token={token}
              invite={invite}
              signedIn={Boolean(signedInAs)}
              onSecondFactor={(ticket) => setAsked({ ticket, token })}
              onSpent={onSpent}
            />
          )}
        </AuthLayout>
      )}
    </Invitation>
  )
}
