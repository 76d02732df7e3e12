import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useLocation } from '@tanstack/react-router'
import { Mail } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { publicApi } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { AUTH_LINK, CheckEmail } from './check-email.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { PasswordForm } from './password-form.tsx'
import { setupQuery, signInMethodsQuery } from './sign-in-queries.ts'
import { nextPath } from './use-sign-in.ts'

/** Loaded after the password: most sign-ins need no second factor. */
const SecondFactor = lazy(async () => ({ default: (await import('./second-factor.tsx')).SecondFactor }))

const route = getRouteApi('/sign-in')
const TOKEN_PREFIX = 'second-factor='

export function SignInPage() {
  const { next, error } = route.useSearch()
  const { hash } = useLocation()
  const navigate = route.useNavigate()
  const [token, setToken] = useState<string>()
  const [email, setEmail] = useState('')
  const [isEmailSent, setEmailSent] = useState(false)
  const setup = useQuery(setupQuery)
  const methods = useQuery(signInMethodsQuery)
  if (setup.data?.needed) return <SetupFirst />

  const path = nextPath(next)
  // In the state after a correct password, in the URL after the OAuth callback.
  const pendingToken = token ?? (hash.startsWith(TOKEN_PREFIX) ? hash.slice(TOKEN_PREFIX.length) : undefined)
  const startOver = () => {
    setToken(undefined)
    void navigate({ search: { next }, replace: true })
  }
  if (pendingToken) {
    return (
      <Suspense>
        <SecondFactor key={pendingToken} token={pendingToken} next={path} onStartOver={startOver} />
      </Suspense>
    )
  }
  if (isEmailSent) {
    return (
      <CheckEmail
        email={email}
        lead="If this address has an account, the email contains a sign-in link. It works once and expires in 5 minutes."
      >
        <Button onClick={() => setEmailSent(false)}>Back to sign in</Button>
      </CheckEmail>
    )
  }
  return (
    <AuthLayout
      title="Sign in"
      lead={path === '/' ? undefined : t`You’ll return to your page after signing in.`}
    >
      <FormFailure>{oauthErrorMessage(error)}</FormFailure>
      {/* Most used method first. */}
      <PasswordForm next={path} email={email} onEmail={setEmail} onSecondFactor={setToken} />
      {/* Rendered together once the providers load, so the layout doesn't shift. */}
      {!methods.isPending && (
        <>
          <Or />
          <div className="flex flex-col gap-8">
            {methods.data?.items.map(({ id, name }) => (
              <a key={id} href={oauthStartUrl(id, path)} className={buttonClass()}>
                Continue with {name}
              </a>
            ))}
            <PasskeyButton next={path} onSecondFactor={setToken} />
            {methods.data?.mail && (
              <MagicLinkButton email={email} next={path} onSent={() => setEmailSent(true)} />
            )}
          </div>
        </>
      )}
      {methods.data?.signup === 'open' && methods.data.mail && (
        <p className="text-13 text-neutral-11">
          New here?{' '}
          <Link to="/sign-up" className={AUTH_LINK}>
            Create an account
          </Link>
        </p>
      )}
    </AuthLayout>
  )
}

function Or() {
  return (
    <div className="flex items-center gap-12 text-12 text-neutral-11">
      <hr className="flex-1 border-neutral-6" />
      or
      <hr className="flex-1 border-neutral-6" />
    </div>
  )
}

const oauthStartUrl = (provider: string, next: string) =>
  `/api/v1/auth/oauth/${encodeURIComponent(provider)}/start${next === '/' ? '' : `?next=${encodeURIComponent(next)}`}`

function SetupFirst() {
  return (
    <AuthLayout
      title="This server has no owner yet"
      lead="The operator creates the first account with a one-time setup link."
    >
      <ol className="flex list-decimal flex-col gap-8 pl-16 text-neutral-11">
        <li>Open the terminal or log where Atrium was started.</li>
        <li>
          Open the setup link printed there. It ends in <code className="font-mono text-12">/setup#…</code>
        </li>
      </ol>
      <p className="text-13 text-neutral-11">No link? Restart the server to print a new one.</p>
    </AuthLayout>
  )
}

interface MagicLinkButtonProps {
  email: string
  next: string
  onSent: () => void
}

function MagicLinkButton({ email, next, onSent }: MagicLinkButtonProps) {
  const send = useMutation({
    mutationFn: () => publicApi.signIn.sendMagicLink({ email, ...(next === '/' ? {} : { next }) }),
    onSuccess: onSent,
  })
  const requestLink = () => {
    const field = document.querySelector<HTMLInputElement>('input[type=email]')
    if (!field || field.reportValidity()) send.mutate()
  }
  return (
    <>
      <FormFailure>{send.error ? shortMessage(send.error) : undefined}</FormFailure>
      <Button busy={send.isPending} onClick={requestLink}>
        <Mail aria-hidden className="icon" />
        Email me a link
      </Button>
    </>
  )
}

const MESSAGES: Record<string, string> = {
  access_denied: t`Sign-in was canceled or denied by the provider. Try again or use another method.`,
  expired: t`The sign-in expired or was started in another window. Try again.`,
  unverified_address: t`The provider hasn’t verified your email address. Verify it there first, or use another method.`,
  signup_closed: t`No account uses this email address, and new accounts need an invitation. Ask an organization admin to invite you.`,
  no_organization: t`You’re no longer in any organization. Ask an admin to invite you again.`,
  provider_error: t`The provider didn’t respond. Try again, or use another method.`,
}

const oauthErrorMessage = (error: string | undefined) =>
  error === undefined ? undefined : (MESSAGES[error] ?? t`Sign-in failed. Try again, or use another method.`)
