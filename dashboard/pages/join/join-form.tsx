import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../../../client/client.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Contract } from '../../../contract/index.ts'
import { publicApi } from '../../api/client.ts'
import { explainShortly } from '../../api/explain.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { FormFailure } from '../../components/failure.tsx'
import { TextField } from '../../components/forms/field.tsx'
import { AUTH_LINK } from '../sign-in/check-email.tsx'
import { NewPasswordField } from '../sign-in/new-password-field.tsx'
import { fieldMessage, isUsedLink, useStartSession } from '../sign-in/use-sign-in.ts'

export type ProjectInvitation = OutputOf<Contract['sharing']['readInvite']>

interface JoinFormProps {
  token: string
  invite: ProjectInvitation
  signedInAs: string | undefined
  onExpired: () => void
}

/** One button for a signed-in user; sign-in or a new account for everyone else. */
export function JoinForm({ token, invite, signedInAs, onExpired }: JoinFormProps) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState(invite.email ?? '')
  const [password, setPassword] = useState('')
  const enter = useStartSession()
  const join = useMutation({
    mutationFn: () =>
      publicApi.sharing.acceptInvite(signedInAs ? { token } : { token, name, email: email.trim(), password }),
    onSuccess: ({ session, projectId }) => enter(session, `/projects/${projectId}`),
    onError: (error) => {
      if (isUsedLink(error)) onExpired()
    },
  })
  const hasAccount = !signedInAs && join.error instanceof ApiFailure && join.error.code === 'CONFLICT'
  return (
    <form
      className="flex flex-col gap-16"
      onSubmit={(event) => {
        event.preventDefault()
        if (!join.isPending) join.mutate()
      }}
    >
      {hasAccount ? (
        <SignInFirst token={token} email={email} />
      ) : (
        <FormFailure>{whyNot(join.error)}</FormFailure>
      )}
      {!signedInAs && (
        <>
          <Link to="/sign-in" search={{ next: `/join#${token}` }} className={buttonClass()}>
            Sign in with an existing account
          </Link>
          <p className="flex items-center gap-12 text-12 text-neutral-11 before:h-px before:flex-1 before:bg-neutral-6 after:h-px after:flex-1 after:bg-neutral-6">
            or create an account
          </p>
          <TextField
            label="Your name"
            autoComplete="name"
            required
            maxLength={120}
            value={name}
            error={fieldMessage(join.error, 'name')}
            onChange={(event) => setName(event.target.value)}
          />
          <TextField
            label="Email"
            type="email"
            autoComplete="username"
            required
            maxLength={254}
            readOnly={invite.email !== null}
            value={email}
            error={fieldMessage(join.error, 'email')}
            onChange={(event) => setEmail(event.target.value)}
          />
          <NewPasswordField
            value={password}
            error={fieldMessage(join.error, 'password')}
            onChange={setPassword}
          />
        </>
      )}
      <Button look="primary" type="submit" autoFocus={Boolean(signedInAs)} busy={join.isPending}>
        {signedInAs ? `Join as ${signedInAs}` : 'Create account and join'}
      </Button>
    </form>
  )
}

function SignInFirst({ token, email }: { token: string; email: string }) {
  return (
    <p
      role="alert"
      className="rounded-control border border-warning-line bg-warning-wash px-12 py-8 text-13 text-warning-text"
    >
      {email} already has an account.{' '}
      <Link to="/sign-in" search={{ next: `/join#${token}` }} className={AUTH_LINK}>
        Sign in
      </Link>{' '}
      to join.
    </p>
  )
}

function whyNot(error: Error | null): string | undefined {
  if (!error || ['name', 'email', 'password'].some((field) => fieldMessage(error, field))) return undefined
  return explainShortly(error)
}
