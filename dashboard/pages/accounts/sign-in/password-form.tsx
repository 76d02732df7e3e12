import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { t } from '../../../../contract/text.ts'
import { publicApi } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { PasswordField } from '../../../components/forms/password-field.tsx'
import { secondFactorTokenIn, useSignIn } from './use-sign-in.ts'

interface PasswordFormProps {
  next: string
  email: string
  onEmail: (email: string) => void
  onSecondFactor: (token: string) => void
}

export function PasswordForm({ next, email, onEmail, onSecondFactor }: PasswordFormProps) {
  const [password, setPassword] = useState('')
  const signIn = useSignIn(() => publicApi.accounts.signIn({ email, password }), { next, onSecondFactor })

  return (
    <form
      className="flex flex-col gap-16"
      onSubmit={(event) => {
        event.preventDefault()
        if (!signIn.isPending) signIn.mutate()
      }}
    >
      <FormFailure>{signIn.error ? errorText(signIn.error) : undefined}</FormFailure>
      <TextField
        label="Email"
        type="email"
        autoComplete="username webauthn"
        autoFocus
        required
        value={email}
        onChange={(event) => onEmail(event.target.value)}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button look="primary" type="submit" busy={signIn.isPending}>
        Sign in
      </Button>
      <Link
        to="/reset-password"
        className="self-start text-13 text-neutral-11 underline-offset-4 hover:text-neutral-12 hover:underline"
      >
        Forgot password?
      </Link>
    </form>
  )
}

function errorText(error: Error): string | undefined {
  if (secondFactorTokenIn(error)) return undefined
  if (error instanceof ApiFailure && error.code === 'UNAUTHORIZED' && !error.reason) {
    return t`Incorrect email or password.`
  }
  return shortMessage(error)
}
