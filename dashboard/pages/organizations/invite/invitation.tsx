import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { publicApi } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { sessionQuery } from '../../../api/session.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { AuthFailure, AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { isUsedLink } from '../../accounts/sign-in/use-sign-in.ts'

interface InvitationProps<I> {
  kind: string
  read: (token: string, signal: AbortSignal) => Promise<I>
  /** Why the invitation may no longer work. */
  expiredLead: string
  children: (open: OpenInvitation<I>) => ReactNode
}

interface OpenInvitation<I> {
  token: string
  invite: I
  signedInAs: string | undefined
  onExpired: () => void
}

/** The token is in the URL fragment, which is never sent to a server. */
export function Invitation<I>(props: InvitationProps<I>) {
  const { hash } = useLocation()
  return hash ? (
    <LoadInvitation key={hash} token={hash} {...props} />
  ) : (
    <ExpiredInvitation lead={props.expiredLead} />
  )
}

function LoadInvitation<I>({
  token,
  kind,
  read,
  expiredLead,
  children,
}: InvitationProps<I> & { token: string }) {
  const [isExpired, setExpired] = useState(false)
  const session = useQuery(sessionQuery)
  const invite = useQuery({ queryKey: [kind, token], queryFn: ({ signal }) => read(token, signal) })
  if (isExpired || isUsedLink(invite.error)) return <ExpiredInvitation lead={expiredLead} />
  const error = invite.error ?? session.error
  if (error) {
    return (
      <AuthFailure
        error={error}
        onRetry={() => {
          void invite.refetch()
          void session.refetch()
        }}
      />
    )
  }
  if (!invite.data || session.data === undefined) return null
  const signedInAs = session.data?.user.email
  return children({ token, invite: invite.data, signedInAs, onExpired: () => setExpired(true) })
}

function ExpiredInvitation({ lead }: { lead: string }) {
  return (
    <AuthLayout
      title="This invitation is no longer valid"
      lead={t`${lead} If you already joined, sign in. Otherwise, ask for a new invitation.`}
    >
      <Link to="/sign-in" className={`self-start ${buttonClass()}`}>
        Go to sign in
      </Link>
    </AuthLayout>
  )
}

interface WrongAccountProps {
  signedInAs: string
  invitedEmail: string
}

/** Invitations are bound to one email address. */
export function WrongAccount({ signedInAs, invitedEmail }: WrongAccountProps) {
  const queries = useQueryClient()
  const signOut = useMutation({
    mutationFn: () => publicApi.accounts.signOut(),
    onSuccess: () => queries.setQueryData(sessionQuery.queryKey, null),
  })
  return (
    <div className="flex flex-col gap-16">
      <p
        role="alert"
        className="rounded-control border border-warning-line bg-warning-wash px-12 py-8 text-13 text-warning-text"
      >
        You’re signed in as {signedInAs}, but this invitation is for {invitedEmail}. Sign out to accept it.
      </p>
      <FormFailure>{signOut.error ? shortMessage(signOut.error) : undefined}</FormFailure>
      <div className="flex gap-8">
        <Button look="primary" busy={signOut.isPending} onClick={() => signOut.mutate()}>
          Sign out and continue
        </Button>
        <Link to="/" className={buttonClass('quiet')}>
          Stay signed in
        </Link>
      </div>
    </div>
  )
}
