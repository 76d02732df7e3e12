import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { publicApi } from '../../../api/client.ts'
import { fieldMessage, shortMessage } from '../../../api/explain.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { Name } from '../../../components/name.tsx'
import { CheckEmail } from '../../accounts/sign-in/check-email.tsx'
import { NewPasswordField } from '../../accounts/sign-in/new-password-field.tsx'
import { isUsedLink, secondFactorTokenIn, useStartSession } from '../../accounts/sign-in/use-sign-in.ts'
import { Invitation, WrongAccount } from '../../organizations/invite/invitation.tsx'

export function JoinPage() {
  const [requestedEmail, setRequestedEmail] = useState<string>()
  if (requestedEmail) {
    return (
      <CheckEmail
        email={requestedEmail}
        lead="Open the link in it to join. It works once and expires in 1 day."
      >
        <Button onClick={() => setRequestedEmail(undefined)}>Back</Button>
      </CheckEmail>
    )
  }
  return (
    <Invitation
      kind="project-invite"
      read={(token, signal) => publicApi.sharing.readInvite({ token }, { signal })}
      expiredLead={t`It was revoked, replaced, used up or has expired.`}
    >
      {({ invite, signedInAs, ...rest }) => (
        <AuthLayout
          title={textWithNames`Join ${[invite.project.emoji, invite.project.name].filter(Boolean).join(' ')}`}
          lead={<Lead invite={invite} />}
        >
          {signedInAs && invite.email && signedInAs !== invite.email ? (
            <WrongAccount signedInAs={signedInAs} invitedEmail={invite.email} />
          ) : (
            <JoinForm invite={invite} signedInAs={signedInAs} onRequested={setRequestedEmail} {...rest} />
          )}
        </AuthLayout>
      )}
    </Invitation>
  )
}

function Lead({
  invite: { organization, workspace, role, invitedBy, email },
}: {
  invite: ProjectInvitation
}) {
  return (
    <>
      {invitedBy} invited {email ? <Strong>{email}</Strong> : t`you`} to the workspace{' '}
      <Strong>{workspace.name}</Strong> in <Strong>{organization.name}</Strong> as{' '}
      {role === 'editor' ? t`an editor` : t`a viewer`}.
    </>
  )
}

const Strong = ({ children }: { children: string }) => (
  <span className="font-medium text-neutral-12">
    <Name>{children}</Name>
  </span>
)

type ProjectInvitation = OutputOf<Contract['sharing']['readInvite']>

interface JoinFormProps {
  token: string
  invite: ProjectInvitation
  signedInAs: string | undefined
  onExpired: () => void
  /** A confirmation email was sent. */
  onRequested: (email: string) => void
}

function JoinForm({ token, invite, signedInAs, onExpired, onRequested }: JoinFormProps) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState(invite.email ?? '')
  const [password, setPassword] = useState('')
  const startSession = useStartSession()
  const join = useMutation({
    mutationFn: () =>
      publicApi.sharing.acceptInvite(signedInAs ? { token } : { token, name, email: email.trim(), password }),
    onSuccess: ({ session, projectId }) => startSession(session, `/projects/${projectId}`),
    onError: (error) => {
      if (isUsedLink(error)) onExpired()
    },
  })
  const request = useMutation({
    mutationFn: () => publicApi.sharing.requestToJoin({ token, name, email: email.trim() }),
    onSuccess: () => onRequested(email.trim()),
    onError: (error) => {
      if (isUsedLink(error)) onExpired()
    },
  })
  const confirmsEmail = !signedInAs && invite.confirmsEmail
  const submit = confirmsEmail ? request : join
  const { error } = submit
  return (
    <form
      className="flex flex-col gap-16"
      onSubmit={(event) => {
        event.preventDefault()
        if (!submit.isPending) submit.mutate()
      }}
    >
      <FormFailure>{failureTextOf(error)}</FormFailure>
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
            error={fieldMessage(error, 'name')}
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
            error={fieldMessage(error, 'email')}
            onChange={(event) => setEmail(event.target.value)}
          />
          {!confirmsEmail && (
            <NewPasswordField
              value={password}
              error={fieldMessage(error, 'password')}
              onChange={setPassword}
            />
          )}
        </>
      )}
      <Button look="primary" type="submit" autoFocus={Boolean(signedInAs)} busy={submit.isPending}>
        {signedInAs
          ? t`Join as ${signedInAs}`
          : confirmsEmail
            ? t`Confirm email address`
            : t`Create account and join`}
      </Button>
    </form>
  )
}

function failureTextOf(error: Error | null): string | undefined {
  if (error instanceof ApiFailure && secondFactorTokenIn(error))
    return t`This account uses two-factor authentication. Sign in first.`
  if (!error || ['name', 'email', 'password'].some((field) => fieldMessage(error, field))) return undefined
  return shortMessage(error)
}
