import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { failureMessage, fieldMessage } from '../../../api/explain.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'

interface ChangeEmailDialogProps {
  onRequested: (email: string) => void
  onClose: () => void
}

/** Sends a confirmation link to the new address; the email address changes when the link is opened. */
export function ChangeEmailDialog({ onRequested, onClose }: ChangeEmailDialogProps) {
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
        hint="We send a confirmation link there and notify your current address."
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
