import { useState } from 'react'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { publicApi } from '../../../api/client.ts'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { SecondFactor } from '../../accounts/sign-in/second-factor.tsx'
import { AcceptForm } from './accept-form.tsx'
import { Invitation } from './invitation.tsx'
import { WrongAccount } from './wrong-account.tsx'

export function InvitePage() {
  const [pending, setPending] = useState<{ pendingToken: string; token: string }>()
  if (pending) {
    const { pendingToken, token } = pending
    return (
      <SecondFactor
        token={pendingToken}
        next={`/invite#${token}`}
        onStartOver={() => setPending(undefined)}
      />
    )
  }
  return (
    <Invitation
      kind="invite"
      read={(token, signal) => publicApi.invites.read({ token }, { signal })}
      expiredLead="It was accepted, revoked or replaced, or is older than 7 days."
    >
      {({ token, invite, signedInAs, onExpired }) => (
        <AuthLayout
          title={textWithNames`Join ${invite.organization.name}`}
          lead={
            <>
              {invite.invitedBy} invited <span className="font-medium text-neutral-12">{invite.email}</span>{' '}
              as {invite.role === 'admin' ? 'an admin' : 'a member'}.
            </>
          }
        >
          {signedInAs && signedInAs !== invite.email ? (
            <WrongAccount signedInAs={signedInAs} invitedEmail={invite.email} />
          ) : (
            <AcceptForm
              token={token}
              invite={invite}
              signedIn={Boolean(signedInAs)}
              onSecondFactor={(pendingToken) => setPending({ pendingToken, token })}
              onExpired={onExpired}
            />
          )}
        </AuthLayout>
      )}
    </Invitation>
  )
}
