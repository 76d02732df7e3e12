import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { publicApi } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { AuthFailure, AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { AUTH_LINK, CheckEmail, NoMail } from '../sign-in/check-email.tsx'
import { PasswordByLink } from '../sign-in/password-by-link.tsx'
import { signInMethodsQuery } from '../sign-in/sign-in-queries.ts'

export function ResetPasswordPage() {
  const { hash } = useLocation()
  const methods = useQuery(signInMethodsQuery)
  if (hash) return <SetPassword key={hash} token={hash} />
  if (methods.error && !methods.data)
    return <AuthFailure error={methods.error} onRetry={() => methods.refetch()} />
  if (!methods.data) return null
  return methods.data.mail ? <Request /> : <NoMail title="Forgot your password?" lead={NO_RESET} />
}

const NO_RESET = t`This server can’t send email. Ask an organization admin to create a reset link for you under Settings, Members.`

function Request() {
  const [email, setEmail] = useState('')
  const request = useMutation({ mutationFn: () => publicApi.signIn.requestPasswordReset({ email }) })
  if (request.isSuccess) {
    return (
      <CheckEmail
        email={email}
        lead="If this address has an account, the email contains a reset link. It works once and expires in 1 hour."
      >
        <Button onClick={() => request.reset()}>Resend email</Button>
        <Link to="/sign-in" className={buttonClass('quiet')}>
          Back to sign in
        </Link>
      </CheckEmail>
    )
  }
  return (
    <AuthLayout title="Reset your password" lead="We’ll email you a link to set a new password.">
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (!request.isPending) request.mutate()
        }}
      >
        <FormFailure>{request.error ? shortMessage(request.error) : undefined}</FormFailure>
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          autoFocus
          required
          maxLength={254}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button look="primary" type="submit" busy={request.isPending}>
          Send reset link
        </Button>
      </form>
      <p className="text-13 text-neutral-11">
        Remember your password?{' '}
        <Link to="/sign-in" className={AUTH_LINK}>
          Sign in
        </Link>
      </p>
    </AuthLayout>
  )
}

/** Revokes all other sessions. */
function SetPassword({ token }: { token: string }) {
  return (
    <PasswordByLink
      title="Set a new password"
      lead="You’ll be signed out on all other devices."
      label="New password"
      action="Set password and sign in"
      submit={async (password) => ({ session: await publicApi.signIn.resetPassword({ token, password }) })}
      expired={<ExpiredLink />}
    />
  )
}

function ExpiredLink() {
  return (
    <AuthLayout
      title="This link has expired"
      lead="Reset links work once, for a limited time. Your password hasn’t changed."
    >
      <Link to="/reset-password" className={`self-start ${buttonClass('primary')}`}>
        Request a new link
      </Link>
    </AuthLayout>
  )
}
