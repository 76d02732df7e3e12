import { getRouteApi, Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { publicApi } from '../../api/client.ts'
import { explainShortly } from '../../api/explain.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { FormFailure } from '../../components/failure.tsx'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'
import { nextPath } from './next-path.ts'
import { SecondFactor } from './second-factor.tsx'
import { isUsedLink, secondFactorTokenIn, useSignIn } from './use-sign-in.ts'

const route = getRouteApi('/sign-in/link')

/** Where a mailed link leads. It waits for a press, because mail scanners open links and would use it up. */
export function MagicLinkPage() {
  const { hash } = useLocation()
  return <Arrival key={hash} token={hash} />
}

function Arrival({ token }: { token: string }) {
  const next = nextPath(route.useSearch().next)
  const [ticket, setTicket] = useState<string>()
  const signIn = useSignIn(() => publicApi.signIn.byMagicLink({ token }), { next, onSecondFactor: setTicket })
  if (ticket) return <SecondFactor ticket={ticket} next={next} onStartOver={() => setTicket(undefined)} />
  if (!token || isUsedLink(signIn.error)) return <Spent next={next} />
  return (
    <AuthLayout title="Sign in" lead="You opened the link that was mailed to you. One press, and you are in.">
      <FormFailure>
        {signIn.error && !secondFactorTokenIn(signIn.error) ? explainShortly(signIn.error) : undefined}
      </FormFailure>
      <Button look="primary" autoFocus busy={signIn.isPending} onClick={() => signIn.mutate()}>
        Sign in
      </Button>
    </AuthLayout>
  )
}

function Spent({ next }: { next: string }) {
  return (
    <AuthLayout
      title="This link does not work any more"
      lead="A sign-in link works once, for five minutes, and must be opened whole. Ask for a new one with “Email me a link”."
    >
      <Link
        to="/sign-in"
        search={next === '/' ? {} : { next }}
        className={`self-start ${buttonClass('primary')}`}
      >
        Go to sign-in
      </Link>
    </AuthLayout>
  )
}
