import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Contract } from '../../../contract/index.ts'
import { door } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'
import { buttonClass } from '../../components/button.tsx'
import { Door } from '../../components/door.tsx'
import { DoorFailure } from '../../components/door-failure.tsx'
import { WrongAccount } from '../invite/wrong-account.tsx'
import { isSpentLink } from '../sign-in/way-in.ts'
import { JoinForm } from './join-form.tsx'

export type OpenInvite = OutputOf<Contract['sharing']['readInvite']>

/** Where an invite link of a project leads. The secret stands behind the `#`, which no server log sees. */
export function JoinPage() {
  const { hash } = useLocation()
  return hash ? <Invitation key={hash} token={hash} /> : <Spent />
}

function Invitation({ token }: { token: string }) {
  const [spent, setSpent] = useState(false)
  const session = useQuery(sessionQuery)
  const invite = useQuery({
    queryKey: ['project-invite', token],
    queryFn: ({ signal }) => door.sharing.readInvite({ token }, { signal }),
  })
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
  const { project, email } = invite.data
  const signedInAs = session.data?.user.email
  return (
    <Door
      title={`Join ${[project.emoji, project.name].filter(Boolean).join(' ')}`}
      lead={<Lead invite={invite.data} />}
    >
      {signedInAs && email && signedInAs !== email ? (
        <WrongAccount signedInAs={signedInAs} invited={email} />
      ) : (
        <JoinForm token={token} invite={invite.data} signedInAs={signedInAs} onSpent={() => setSpent(true)} />
      )}
    </Door>
  )
}

function Lead({ invite: { organization, workspace, role, invitedBy, email } }: { invite: OpenInvite }) {
  return (
    <>
      {invitedBy} invites {email ? <Strong>{email}</Strong> : 'you'} into the workspace{' '}
      <Strong>{workspace.name}</Strong> of <Strong>{organization.name}</Strong>, as{' '}
      {role === 'editor' ? 'an editor, who changes its projects' : 'a viewer, who looks at its projects'}.
    </>
  )
}

const Strong = ({ children }: { children: string }) => (
  <span className="font-medium text-neutral-12">{children}</span>
)

function Spent() {
  return (
    <Door
      title="This invitation does not work any more"
      lead="It was revoked, replaced or used up, or its time is over. If you joined already, sign in; otherwise ask whoever invited you for a new one."
    >
      <Link to="/sign-in" className={`self-start ${buttonClass()}`}>
        Go to sign-in
      </Link>
    </Door>
  )
}
