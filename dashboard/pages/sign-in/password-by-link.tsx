import { type ReactNode, useState } from 'react'
import { explainShortly } from '../../api/explain.ts'
import type { Session } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { FormFailure } from '../../components/failure.tsx'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { SecondFactor } from './second-factor.tsx'
import { fieldMessage, isUsedLink, secondFactorTokenIn, useSignIn } from './use-sign-in.ts'

interface PasswordByLinkProps {
  title: string
  lead: string
  label?: string
  action: string
  submit: (password: string) => Promise<Session>
  /** Instead, where the link does not work any more. */
  spent: ReactNode
}

/** A mailed link is the proof; with a password of their choice they are in. */
export function PasswordByLink({ title, lead, label, action, submit, spent }: PasswordByLinkProps) {
  const [password, setPassword] = useState('')
  const [ticket, setTicket] = useState<string>()
  const set = useSignIn(() => submit(password), { next: '/', onSecondFactor: setTicket })
  if (ticket) return <SecondFactor ticket={ticket} next="/" onStartOver={() => location.assign('/sign-in')} />
  if (isUsedLink(set.error)) return spent
  const onField = fieldMessage(set.error, 'password')
  const refused = set.error && !onField && !secondFactorTokenIn(set.error)
  return (
    <AuthLayout title={title} lead={lead}>
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (!set.isPending) set.mutate()
        }}
      >
        <FormFailure>{refused ? explainShortly(set.error) : undefined}</FormFailure>
        <NewPasswordField label={label} autoFocus value={password} error={onField} onChange={setPassword} />
        <Button look="primary" type="submit" busy={set.isPending}>
          {action}
        </Button>
      </form>
    </AuthLayout>
  )
}
