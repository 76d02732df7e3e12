import { getRouteApi, Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { publicApi } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { SecondFactor } from './second-factor.tsx'
import { isUsedLink, nextPath, secondFactorTokenIn, useSignIn } from './use-sign-in.ts'

const route = getRouteApi('/sign-in/link')

/** Requires a click: mail scanners open links and would use up the token. */
export function MagicLinkPage() {
  const { hash } = useLocation()
  return <ConfirmSignIn key={hash} token={hash} />
}

function ConfirmSignIn({ token }: { token: string }) {
  const next = nextPath(route.useSearch().next)
  const [pendingToken, setPendingToken] = useState<string>()
  const signIn = useSignIn(() => publicApi.signIn.byMagicLink({ token }), {
    next,
    onSecondFactor: setPendingToken,
  })
  if (pendingToken)
    return <SecondFactor token={pendingToken} next={next} onStartOver={() => setPendingToken(undefined)} />
  if (!token || isUsedLink(signIn.error)) return <ExpiredLink next={next} />
  return (
    <AuthLayout title="Sign in" lead="Click to sign in.">
      <FormFailure>
        {signIn.error && !secondFactorTokenIn(signIn.error) ? shortMessage(signIn.error) : undefined}
      </FormFailure>
      <Button look="primary" autoFocus busy={signIn.isPending} onClick={() => signIn.mutate()}>
        Sign in
      </Button>
    </AuthLayout>
  )
}

function ExpiredLink({ next }: { next: string }) {
  return (
    <AuthLayout
      title="This link has expired"
      lead="Sign-in links work once and expire after 5 minutes. Request a new one with “Email me a link”."
    >
      <Link
        to="/sign-in"
        search={next === '/' ? {} : { next }}
        className={`self-start ${buttonClass('primary')}`}
      >
        Go to sign in
      </Link>
    </AuthLayout>
  )
}
