import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { t } from '../../../../contract/text.ts'
import { publicApi } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { clearUserQueries, queryClient } from '../../../api/query-client.ts'
import { sessionQuery } from '../../../api/session.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { AuthFailure, AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { isUsedLink } from '../sign-in/use-sign-in.ts'

export function VerifyEmailPage() {
  return (
    <ConfirmEmailLink
      page="/verify-email"
      confirm={(token) => publicApi.signIn.verifyEmail({ token })}
      pendingTitle={t`Verifying your email`}
      doneTitle={t`Email verified`}
      outcome={t`is now verified.`}
      signInTitle={t`Sign in to verify your email`}
      expired={t`The link was already used or has expired. Request a new one in your account settings.`}
    />
  )
}

export function ChangeEmailPage() {
  return (
    <ConfirmEmailLink
      page="/change-email"
      confirm={(token) => publicApi.signIn.changeEmail({ token })}
      pendingTitle={t`Changing your email`}
      doneTitle={t`Email changed`}
      outcome={t`is now your email address. Your other sessions were signed out.`}
      signInTitle={t`Sign in to change your email`}
      expired={t`The link works once and expires after 1 hour. You can change your email in your account settings.`}
    />
  )
}

interface ConfirmEmailLinkProps {
  page: '/verify-email' | '/change-email'
  confirm: (token: string) => Promise<{ email: string }>
  pendingTitle: string
  doneTitle: string
  outcome: string
  signInTitle: string
  expired: ReactNode
}

/** Requires a session for that account. */
function ConfirmEmailLink(props: ConfirmEmailLinkProps) {
  const { hash } = useLocation()
  if (!hash) return <ExpiredLink>{props.expired}</ExpiredLink>
  return <Confirm key={hash} token={hash} {...props} />
}

function Confirm({ token, page, confirm, ...texts }: ConfirmEmailLinkProps & { token: string }) {
  // A query instead of a mutation: opening the page is the action, and it must run once.
  const confirmation = useQuery({
    queryKey: [page, token],
    queryFn: () => confirm(token),
    staleTime: Number.POSITIVE_INFINITY,
    retryOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const isDone = confirmation.isSuccess
  useEffect(() => {
    if (!isDone) return
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    void queryClient.invalidateQueries({ queryKey: ['security'] })
  }, [isDone])
  if (isUsedLink(confirmation.error)) return <ExpiredLink>{texts.expired}</ExpiredLink>
  if (needsSignIn(confirmation.error))
    return <SignInFirst title={texts.signInTitle} page={page} token={token} />
  if (confirmation.error)
    return <AuthFailure error={confirmation.error} onRetry={() => confirmation.refetch()} />
  if (!confirmation.data) {
    return (
      <AuthLayout title={texts.pendingTitle}>
        <p role="status" className="text-neutral-11">
          Please wait…
        </p>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title={texts.doneTitle}
      lead={
        <>
          <span className="font-medium text-neutral-12">{confirmation.data.email}</span> {texts.outcome}
        </>
      }
    >
      <p className="flex items-center gap-8 text-13 text-good-text" role="status">
        <MailCheck aria-hidden className="icon" />
        You can close this page.
      </p>
      <Link to="/" className={`self-start ${buttonClass('primary')}`}>
        Continue to Atrium
      </Link>
    </AuthLayout>
  )
}

/** The account has no session in this browser. The link stays valid. */
const needsSignIn = (error: unknown) => error instanceof ApiFailure && error.reason === 'sign_in_first'

function ExpiredLink({ children }: { children: ReactNode }) {
  return (
    <AuthLayout title="This link has expired" lead={children}>
      <Link to="/settings/account" className={`self-start ${buttonClass('primary')}`}>
        Go to account settings
      </Link>
    </AuthLayout>
  )
}

interface SignInFirstProps {
  title: string
  page: string
  token: string
}

/** The link works only for the account it was sent to; another user signs out first. */
function SignInFirst({ title, page, token }: SignInFirstProps) {
  const session = useQuery(sessionQuery)
  const navigate = useNavigate()
  const proceed = useMutation({
    mutationFn: async () => {
      if (session.data) await publicApi.accounts.signOut()
      await navigate({ to: '/sign-in', search: { next: `${page}#${token}` } })
      clearUserQueries()
    },
  })
  return (
    <AuthLayout
      title={title}
      lead={
        session.data
          ? t`You’re signed in as ${session.data.user.email}, but this link is for another account.`
          : t`Sign in to the account this link was sent to.`
      }
    >
      <FormFailure>{proceed.error ? shortMessage(proceed.error) : undefined}</FormFailure>
      <Button look="primary" className="self-start" busy={proceed.isPending} onClick={() => proceed.mutate()}>
        {session.data ? t`Sign out and continue` : t`Sign in`}
      </Button>
    </AuthLayout>
  )
}
