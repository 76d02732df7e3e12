import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, buttonClass } from '../../components/button.tsx'
import { FormFailure } from '../../components/failure.tsx'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'
import { AUTH_LINK, CheckEmail } from './check-email.tsx'
import { MagicLinkButton } from './magic-link-button.tsx'
import { nextPath } from './next-path.ts'
import { oauthErrorMessage } from './oauth-errors.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { PasswordForm } from './password-form.tsx'
import { SecondFactor } from './second-factor.tsx'
import { setupQuery, signInMethodsQuery } from './sign-in-queries.ts'

const route = getRouteApi('/sign-in')
const TICKET = 'second-factor='

export function SignInPage() {
  const { next, error } = route.useSearch()
  const { hash } = useLocation()
  const navigate = route.useNavigate()
  const [ticket, setTicket] = useState<string>()
  const [email, setEmail] = useState('')
  const [mailed, setMailed] = useState(false)
  const setup = useQuery(setupQuery)
  const ways = useQuery(signInMethodsQuery)
  if (setup.data?.needed) return <SetupFirst />

  const path = nextPath(next)
  // A provider's way back leaves the ticket in the address; a password that was right leaves it here.
  const halfway = ticket ?? (hash.startsWith(TICKET) ? hash.slice(TICKET.length) : undefined)
  const startOver = () => {
    setTicket(undefined)
    void navigate({ search: { next }, replace: true })
  }
  if (halfway) return <SecondFactor key={halfway} ticket={halfway} next={path} onStartOver={startOver} />
  if (mailed) {
    return (
      <CheckEmail
        email={email}
        lead="If that address has an account, the mail holds a link that signs you in. It works once, for five minutes."
      >
        <Button onClick={() => setMailed(false)}>Back to sign-in</Button>
      </CheckEmail>
    )
  }
  return (
    <AuthLayout title="Sign in" lead={path === '/' ? undefined : 'You are taken back to where you were.'}>
      <FormFailure>{oauthErrorMessage(error)}</FormFailure>
      {/* Each way of signing in is one block of this column, the most used first. */}
      <PasswordForm next={path} email={email} onEmail={setEmail} onSecondFactor={setTicket} />
      {/* All at once, so that nothing moves under a pointer when the providers are known. */}
      {!ways.isPending && (
        <>
          <Or />
          <div className="flex flex-col gap-8">
            {ways.data?.items.map(({ id, name }) => (
              <a key={id} href={startOf(id, path)} className={buttonClass()}>
                Continue with {name}
              </a>
            ))}
            <PasskeyButton next={path} onSecondFactor={setTicket} />
            <MagicLinkButton email={email} next={path} onSent={() => setMailed(true)} />
          </div>
        </>
      )}
      {ways.data?.signup === 'open' && (
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

const startOf = (provider: string, next: string) =>
  `/api/v1/auth/oauth/${encodeURIComponent(provider)}/start${next === '/' ? '' : `?next=${encodeURIComponent(next)}`}`

function SetupFirst() {
  return (
    <AuthLayout
      title="This server has no owner yet"
      lead="Whoever runs it creates the first account with a one-time link."
    >
      <ol className="flex list-decimal flex-col gap-8 pl-16 text-neutral-11">
        <li>Look at the terminal or the log where Atrium was started.</li>
        <li>
          Open the setup link printed there. It ends in <code className="font-mono text-12">/setup#…</code>
        </li>
      </ol>
      <p className="text-13 text-neutral-11">No link in sight? Restart the server and it prints a new one.</p>
    </AuthLayout>
  )
}
