import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { publicApi } from '../../../api/client.ts'
import { fieldMessage, shortMessage } from '../../../api/explain.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { AuthFailure, AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { AUTH_LINK, CheckEmail, NoMail } from '../sign-in/check-email.tsx'
import { PasswordByLink } from '../sign-in/password-by-link.tsx'
import { signInMethodsQuery } from '../sign-in/sign-in-queries.ts'

/** An email separates the two steps, so users can't claim an address they don't own. */
export function SignUpPage() {
  const { hash } = useLocation()
  const methods = useQuery(signInMethodsQuery)
  if (hash) return <FinishSignUp key={hash} token={hash} />
  if (methods.error && !methods.data)
    return <AuthFailure error={methods.error} onRetry={() => methods.refetch()} />
  if (!methods.data) return null
  if (methods.data.signup !== 'open') {
    return (
      <NoMail
        title="Sign-up is by invitation only"
        lead="Ask an organization admin to invite you. The invitation has a link to create your account."
      />
    )
  }
  if (!methods.data.mail) {
    return (
      <NoMail
        title="Sign-up is unavailable"
        lead="New accounts are confirmed by email, but this server can’t send email yet. Ask its operator to set ATRIUM_SMTP_URL."
      />
    )
  }
  return <SignUpForm />
}

function SignUpForm() {
  const [values, setValues] = useState({ name: '', email: '', organizationName: '' })
  const signUp = useMutation({ mutationFn: () => publicApi.signIn.signUp(values) })
  const field = (name: keyof typeof values) => ({
    required: true,
    value: values[name],
    error: fieldMessage(signUp.error, name),
    onChange: (event: { target: { value: string } }) => setValues({ ...values, [name]: event.target.value }),
  })
  if (signUp.isSuccess) {
    return (
      <CheckEmail
        email={values.email}
        lead="Open the link in the email to set a password. It works once and expires in 1 day."
      >
        <Button onClick={() => signUp.reset()}>Change email</Button>
      </CheckEmail>
    )
  }
  return (
    <AuthLayout title="Create an account" lead="Creates an organization you can invite others to.">
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (!signUp.isPending) signUp.mutate()
        }}
      >
        <FormFailure>{errorText(signUp.error)}</FormFailure>
        <TextField label="Your name" autoComplete="name" autoFocus maxLength={120} {...field('name')} />
        <TextField label="Email" type="email" autoComplete="username" maxLength={254} {...field('email')} />
        <TextField
          label="Organization"
          hint="Your company or team. It owns everything you create."
          autoComplete="organization"
          maxLength={120}
          {...field('organizationName')}
        />
        <Button look="primary" type="submit" busy={signUp.isPending}>
          Continue
        </Button>
      </form>
      <p className="text-13 text-neutral-11">
        Have an account?{' '}
        <Link to="/sign-in" className={AUTH_LINK}>
          Sign in
        </Link>
      </p>
    </AuthLayout>
  )
}

function errorText(error: Error | null): string | undefined {
  if (!error || (error instanceof ApiFailure && Array.isArray(error.details))) return undefined
  return shortMessage(error)
}

function FinishSignUp({ token }: { token: string }) {
  return (
    <PasswordByLink
      title="Choose a password"
      lead="Your email address is verified. One last step."
      action="Create account"
      submit={async (password) => ({ session: await publicApi.signIn.confirmSignUp({ token, password }) })}
      expired={<ExpiredLink />}
    />
  )
}

function ExpiredLink() {
  return (
    <AuthLayout
      title="This link has expired"
      lead="The link works once and expires after 1 day. If you already created your account, sign in."
    >
      <div className="flex gap-8">
        <Link to="/sign-in" className={buttonClass('primary')}>
          Go to sign in
        </Link>
        <Link to="/sign-up" className={buttonClass()}>
          Sign up again
        </Link>
      </div>
    </AuthLayout>
  )
}
