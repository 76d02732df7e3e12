import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { sessionQuery } from '../../api/session.ts'
import { buttonClass } from '../../components/button.tsx'
import { AuthFailure } from '../../components/layout/auth-failure.tsx'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'
import { isUsedLink } from '../sign-in/use-sign-in.ts'

interface Kind<I> {
  kind: string
  read: (token: string, signal: AbortSignal) => Promise<I>
  /** Why it may not work any more. */
  spentLead: string
  children: (open: Open<I>) => ReactNode
}

interface Open<I> {
  token: string
  invite: I
  signedInAs: string | undefined
  onSpent: () => void
}

/** Where an invitation leads that somebody holds. The secret stands behind the `#`, which no server log sees. */
export function Invitation<I>(kind: Kind<I>) {
  const { hash } = useLocation()
  return hash ? <Held key={hash} token={hash} {...kind} /> : <Spent lead={kind.spentLead} />
}

function Held<I>({ token, kind, read, spentLead, children }: Kind<I> & { token: string }) {
  const [spent, setSpent] = useState(false)
  const session = useQuery(sessionQuery)
  const invite = useQuery({ queryKey: [kind, token], queryFn: ({ signal }) => read(token, signal) })
  if (spent || isUsedLink(invite.error)) return <Spent lead={spentLead} />
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
  return children({ token, invite: invite.data, signedInAs, onSpent: () => setSpent(true) })
}

function Spent({ lead }: { lead: string }) {
  return (
    <AuthLayout
      title="This invitation does not work any more"
      lead={`${lead} If you joined already, sign in; otherwise ask whoever invited you for a new one.`}
    >
      <Link to="/sign-in" className={`self-start ${buttonClass()}`}>
        Go to sign-in
      </Link>
    </AuthLayout>
  )
}
