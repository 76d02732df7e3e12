import { useMutation } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { publicApi } from '../../api/client.ts'
import { explainShortly } from '../../api/explain.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { FormFailure } from '../../components/failure.tsx'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'
import { NewPasswordField } from '../sign-in/new-password-field.tsx'
import { fieldMessage, isUsedLink, useStartSession } from '../sign-in/use-sign-in.ts'

/** The target of the link that confirms the email address of a person who joins a project. */
export function ConfirmJoinPage() {
  const { hash } = useLocation()
  return <ChoosePassword key={hash} token={hash} />
}

function ChoosePassword({ token }: { token: string }) {
  const [password, setPassword] = useState('')
  const enter = useStartSession()
  const confirm = useMutation({
    mutationFn: () => publicApi.sharing.confirmJoin({ token, password }),
    onSuccess: ({ session, projectId }) => enter(session, `/projects/${projectId}`),
  })
  if (!token || isUsedLink(confirm.error)) return <ExpiredLink />
  const onField = fieldMessage(confirm.error, 'password')
  return (
    <AuthLayout title="Choose a password" lead="Your email address is confirmed. This is the last step.">
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (!confirm.isPending) confirm.mutate()
        }}
      >
        <FormFailure>{confirm.error && !onField ? explainShortly(confirm.error) : undefined}</FormFailure>
        <NewPasswordField autoFocus value={password} error={onField} onChange={setPassword} />
        <Button look="primary" type="submit" busy={confirm.isPending}>
          Create account and join
        </Button>
      </form>
    </AuthLayout>
  )
}

function ExpiredLink() {
  return (
    <AuthLayout
      title="This link has expired"
      lead="The link works once and expires after 1 day, or when the invitation is revoked. If you already joined, sign in. Otherwise open the invitation link again."
    >
      <Link to="/sign-in" className={`self-start ${buttonClass('primary')}`}>
        Go to sign in
      </Link>
    </AuthLayout>
  )
}
