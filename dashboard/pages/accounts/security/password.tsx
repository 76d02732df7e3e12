import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { api, publicApi } from '../../../api/client.ts'
import { failureMessage, fieldMessage, shortMessage } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { Status } from '../../../components/status.tsx'
import { toast } from '../../../components/toast.tsx'
import { NewPasswordField } from '../sign-in/new-password-field.tsx'
import { useSecurityRefresh } from './security-queries.ts'

export function Password({ hasPassword, email }: { hasPassword: boolean; email: string }) {
  const [isChanging, setChanging] = useState(false)
  if (!hasPassword) return <NoPassword email={email} />
  return (
    <div className="flex items-center justify-between gap-16">
      <Status meaning="good">Password set</Status>
      <Button onClick={() => setChanging(true)}>Change password</Button>
      {isChanging && <ChangePassword onClose={() => setChanging(false)} />}
    </div>
  )
}

function ChangePassword({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('')
  const refresh = useSecurityRefresh()
  const change = useMutation({
    mutationFn: () => api.security.changePassword({ password }),
    onSuccess: () => {
      onClose()
      toast(t`Password changed. Your other sessions were signed out.`)
      refresh()
    },
  })
  const passwordError = fieldMessage(change.error, 'password')
  const failure = passwordError ? undefined : failureMessage(change.error)
  return (
    <FormDialog
      title="Change password"
      action="Change password"
      failure={failure}
      busy={change.isPending}
      onSubmit={change.mutate}
      onClose={onClose}
    >
      <NewPasswordField
        label="New password"
        autoFocus
        value={password}
        error={passwordError}
        onChange={setPassword}
      />
    </FormDialog>
  )
}

/** After provider or magic link sign-up, the first password is set by email. */
function NoPassword({ email }: { email: string }) {
  const send = useMutation({ mutationFn: () => publicApi.signIn.requestPasswordReset({ email }) })
  return (
    <div className="flex flex-col items-start gap-12">
      <Status meaning="neutral">No password</Status>
      <p className="text-13 text-neutral-11">To set a password, open the link we send to {email}.</p>
      <FormFailure>{send.error ? shortMessage(send.error) : undefined}</FormFailure>
      {send.isSuccess && (
        <p role="status" className="text-13 text-good-text">
          Email sent. The link works once and expires in 1 hour.
        </p>
      )}
      <Button busy={send.isPending} onClick={() => send.mutate()}>
        {send.isSuccess ? t`Resend email` : t`Email me a link`}
      </Button>
    </div>
  )
}
