import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { publicApi } from '../../../api/client.ts'
import { fieldMessage, shortMessage } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { PasswordField } from '../../../components/forms/password-field.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { AUTH_LINK } from '../../accounts/sign-in/check-email.tsx'
import { NewPasswordField } from '../../accounts/sign-in/new-password-field.tsx'
import { SecondFactor } from '../../accounts/sign-in/second-factor.tsx'
import { secondFactorTokenIn, useSignIn } from '../../accounts/sign-in/use-sign-in.ts'
import { Invitation, WrongAccount } from './invitation.tsx'

export function InvitePage() {
  const [pending, setPending] = useState<{ pendingToken: string; token: string }>()
  if (pending) {
    const { pendingToken, token } = pending
    return (
      <SecondFactor
        token={pendingToken}
        next={`/invite#${token}`}
        onStartOver={() => setPending(undefined)}
      />
    )
  }
  return (
    <Invitation
      kind="invite"
      read={(token, signal) => publicApi.invites.read({ token }, { signal })}
      expiredLead={t`It was accepted, revoked or replaced, or is older than 7 days.`}
    >
      {({ token, invite, signedInAs, onExpired }) => (
        <AuthLayout
          title={textWithNames`Join ${invite.organization.name}`}
          lead={
            <>
              {invite.invitedBy} invited <span className="font-medium text-neutral-12">{invite.email}</span>{' '}
              as {invite.role === 'admin' ? t`an admin` : t`a member`}.
            </>
          }
        >
          {signedInAs && signedInAs !== invite.email ? (
            <WrongAccount signedInAs={signedInAs} invitedEmail={invite.email} />
          ) : (
            <AcceptForm
              token={token}
              invite={invite}
              signedIn={Boolean(signedInAs)}
              onSecondFactor={(pendingToken) => setPending({ pendingToken, token })}
              onExpired={onExpired}
            />
          )}
        </AuthLayout>
      )}
    </Invitation>
  )
}

interface AcceptFormProps {
  token: string
  invite: OutputOf<Contract['invites']['read']>
  signedIn: boolean
  onSecondFactor: (token: string) => void
  onExpired: () => void
}

/** Signed-in users confirm, users with an account enter their password, new users a name and password. */
function AcceptForm({ token, invite, signedIn, onSecondFactor, onExpired }: AcceptFormProps) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const isNew = !signedIn && !invite.hasAccount
  const needsPassword = !signedIn && invite.hasAccount
  const accept = useSignIn(
    () =>
      publicApi.invites.accept({
        token,
        ...(isNew && { name, password }),
        ...(needsPassword && { password }),
      }),
    { next: '/', onSecondFactor },
  )
  return (
    <form
      className="flex flex-col gap-16"
      onSubmit={(event) => {
        event.preventDefault()
        if (accept.isPending) return
        accept.mutate(undefined, { onError: (error) => isGone(error) && onExpired() })
      }}
    >
      <FormFailure>{errorText(accept.error, needsPassword)}</FormFailure>
      <input type="hidden" autoComplete="username" value={invite.email} />
      {isNew && (
        <>
          <TextField
            label="Your name"
            autoComplete="name"
            autoFocus
            required
            maxLength={120}
            value={name}
            error={fieldMessage(accept.error, 'name')}
            onChange={(event) => setName(event.target.value)}
          />
          <NewPasswordField
            value={password}
            error={fieldMessage(accept.error, 'password')}
            onChange={setPassword}
          />
        </>
      )}
      {needsPassword && (
        <PasswordField
          label="Password"
          hint="You already have an account. Enter your password to join."
          autoComplete="current-password"
          autoFocus
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      )}
      <Button look="primary" type="submit" autoFocus={signedIn} busy={accept.isPending}>
        {isNew
          ? t`Create account and join`
          : needsPassword
            ? t`Sign in and join`
            : t`Join as ${invite.email}`}
      </Button>
      {!signedIn && (
        <Link
          to="/sign-in"
          search={{ next: `/invite#${token}` }}
          className={`self-start text-13 ${AUTH_LINK}`}
        >
          {needsPassword ? t`Use another sign-in method` : t`Sign in with an existing account`}
        </Link>
      )}
    </form>
  )
}

/** The invitation was revoked, or accepted in another window, after it loaded. */
const isGone = (error: unknown) =>
  error instanceof ApiFailure && (error.code === 'NOT_FOUND' || Boolean(error.fieldMessage('body.token')))

function errorText(error: Error | null, needsPassword: boolean): string | undefined {
  if (!error || secondFactorTokenIn(error)) return undefined
  if (error instanceof ApiFailure) {
    if (error.code === 'UNAUTHORIZED' && needsPassword) return t`Wrong password.`
    if (error.fieldMessage('body.name') || error.fieldMessage('body.password')) return undefined
  }
  return shortMessage(error)
}
