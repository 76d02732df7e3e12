import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { failureMessage, fieldMessage, shortMessage } from '../../../api/explain.ts'
import { sessionQuery, useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Status } from '../../../components/status.tsx'
import { useCanMail } from '../sign-in/mail-status.tsx'

export function EmailAddress() {
  const { user } = useSession()
  const queries = useQueryClient()
  const canMail = useCanMail()
  const [isChanging, setChanging] = useState(false)
  const [requestedEmail, setRequestedEmail] = useState<string>()
  const send = useMutation({
    mutationFn: () => api.security.sendVerification(),
    // Fails if the address was verified in another window; the session then shows it.
    onError: () => queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
  return (
    <div className="flex max-w-form flex-col items-start gap-12">
      <p className="flex w-full flex-wrap items-center justify-between gap-x-16 gap-y-4">
        <span className="min-w-0 break-words">{user.email}</span>
        <Status meaning={user.emailVerified ? 'good' : 'warning'}>
          {user.emailVerified ? t`Verified` : t`Not verified`}
        </Status>
      </p>
      {canMail === false && (
        <p className="text-13 text-neutral-11">
          {user.emailVerified
            ? t`This server can’t send email, so you can’t change your address here.`
            : t`This server can’t send email, so you can’t verify or change your address here.`}
        </p>
      )}
      {!user.emailVerified && canMail && (
        <>
          <FormFailure>{send.error ? shortMessage(send.error) : undefined}</FormFailure>
          {send.isSuccess && (
            <p role="status" className="text-13 text-neutral-11">
              Email sent. Open the link in it to verify your address.
            </p>
          )}
          <Button busy={send.isPending} onClick={() => send.mutate()}>
            {send.isSuccess ? t`Resend email` : t`Send verification email`}
          </Button>
        </>
      )}
      {requestedEmail && (
        <p role="status" className="text-13 text-neutral-11">
          If {requestedEmail} is available, we sent a confirmation link there. Open it in this browser to
          change your email.
        </p>
      )}
      {canMail && <Button onClick={() => setChanging(true)}>Change email</Button>}
      {isChanging && <ChangeEmailDialog onRequested={setRequestedEmail} onClose={() => setChanging(false)} />}
    </div>
  )
}

interface ChangeEmailDialogProps {
  onRequested: (email: string) => void
  onClose: () => void
}

/** The address changes when the emailed link is opened. */
function ChangeEmailDialog({ onRequested, onClose }: ChangeEmailDialogProps) {
  const [email, setEmail] = useState('')
  const request = useMutation({
    mutationFn: () => api.security.requestEmailChange({ email }),
    onSuccess: () => {
      onRequested(email.trim())
      onClose()
    },
  })
  const emailError = fieldMessage(request.error, 'email')
  const failure = emailError ? undefined : failureMessage(request.error)
  return (
    <FormDialog
      title="Change email"
      action="Send confirmation link"
      failure={failure}
      busy={request.isPending}
      onSubmit={request.mutate}
      onClose={onClose}
    >
      <TextField
        label="New email"
        hint="We’ll send a confirmation link there and notify your current address."
        type="email"
        autoComplete="email"
        data-autofocus
        required
        maxLength={254}
        value={email}
        error={emailError}
        onChange={(event) => setEmail(event.target.value)}
      />
    </FormDialog>
  )
}
