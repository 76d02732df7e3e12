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

/** `next` defaults to `/`. */
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
  /** Also if the link was used. */
  expired: ReactNode
}

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
