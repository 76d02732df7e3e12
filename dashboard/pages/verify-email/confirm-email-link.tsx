import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { ApiFailure } from '../../../client/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { sessionQuery } from '../../api/session.ts'
import { buttonClass } from '../../components/button.tsx'
import { AuthFailure } from '../../components/layout/auth-failure.tsx'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'
import { isUsedLink } from '../sign-in/use-sign-in.ts'
import { SignInFirst } from './sign-in-first.tsx'

interface ConfirmEmailLinkProps {
  page: '/verify-email' | '/change-email'
  follow: (token: string) => Promise<{ email: string }>
  working: string
  done: string
  /** After the address. */
  outcome: string
  signInFirst: string
  spent: ReactNode
}

/** A mailed link about one's address, for whoever is signed in to the account. */
export function ConfirmEmailLink(props: ConfirmEmailLinkProps) {
  const { hash } = useLocation()
  if (!hash) return <Spent>{props.spent}</Spent>
  return <Following key={hash} token={hash} {...props} />
}

function Following({ token, page, follow, ...words }: ConfirmEmailLinkProps & { token: string }) {
  // A query rather than a mutation: opening the page is the act, and it must happen once.
  const followed = useQuery({
    queryKey: [page, token],
    queryFn: () => follow(token),
    staleTime: Number.POSITIVE_INFINITY,
    retryOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const isDone = followed.isSuccess
  useEffect(() => {
    if (!isDone) return
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    void queryClient.invalidateQueries({ queryKey: ['security'] })
  }, [isDone])
  if (isUsedLink(followed.error)) return <Spent>{words.spent}</Spent>
  if (isElsewhere(followed.error)) return <SignInFirst title={words.signInFirst} page={page} token={token} />
  if (followed.error) return <AuthFailure error={followed.error} onRetry={() => followed.refetch()} />
  if (!followed.data) {
    return (
      <AuthLayout title={words.working}>
        <p role="status" className="text-neutral-11">
          One moment.
        </p>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title={words.done}
      lead={
        <>
          <span className="font-medium text-neutral-12">{followed.data.email}</span> {words.outcome}
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
    </AuthLayout>
  )
}

/** The link is for an account that this browser is not signed in to; it stays good. */
const isElsewhere = (error: unknown) => error instanceof ApiFailure && error.reason === 'sign_in_first'

function Spent({ children }: { children: ReactNode }) {
  return (
    <AuthLayout title="This link does not work any more" lead={children}>
      <Link to="/settings/account" className={`self-start ${buttonClass('primary')}`}>
        Go to your account
      </Link>
    </AuthLayout>
  )
}
