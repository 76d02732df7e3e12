import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { publicApi } from '../../../api/client.ts'
import { fieldMessage, shortMessage } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { AUTH_LINK, CheckEmail } from '../sign-in/check-email.tsx'

export function SignUpForm() {
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
    <AuthLayout title="Create an account" lead="Creates an organization that you can invite others to.">
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
