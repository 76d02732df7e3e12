import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { fieldMessage, shortMessage } from '../../../api/explain.ts'
import type { Session } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { SecondFactor } from './second-factor.tsx'
import { isUsedLink, secondFactorTokenIn, useStartSession } from './use-sign-in.ts'

/** The new session, and the page to open with it; `/` if absent. */
interface SignInResult {
  session: Session
  next?: string
}

interface PasswordByLinkProps {
  title: string
  lead: string
  label?: string
  action: string
  submit: (password: string) => Promise<SignInResult>
  /** Rendered if the link has expired or was used. */
  expired: ReactNode
}

/** Sets a password with the token of an emailed link, and signs in. */
export function PasswordByLink({ title, lead, label, action, submit, expired }: PasswordByLinkProps) {
  const [password, setPassword] = useState('')
  const [pendingToken, setPendingToken] = useState<string>()
  const startSession = useStartSession()
  const set = useMutation({
    mutationFn: () => submit(password),
    onSuccess: ({ session, next = '/' }) => startSession(session, next),
    onError: (error) => setPendingToken(secondFactorTokenIn(error)),
  })
  if (pendingToken)
    return <SecondFactor token={pendingToken} next="/" onStartOver={() => location.assign('/sign-in')} />
  if (isUsedLink(set.error)) return expired
  const passwordError = fieldMessage(set.error, 'password')
  const isOtherError = set.error && !passwordError && !secondFactorTokenIn(set.error)
  return (
    <AuthLayout title={title} lead={lead}>
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (!set.isPending) set.mutate()
        }}
      >
        <FormFailure>{isOtherError ? shortMessage(set.error) : undefined}</FormFailure>
        <NewPasswordField
          label={label}
          autoFocus
          value={password}
          error={passwordError}
          onChange={setPassword}
        />
        <Button look="primary" type="submit" busy={set.isPending}>
          {action}
        </Button>
      </form>
    </AuthLayout>
  )
}
