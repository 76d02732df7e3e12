import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { explainShortly, isDeclinedStepUp } from '../../../api/explain.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { fieldMessage } from '../../sign-in/use-sign-in.ts'

interface ChangeEmailDialogProps {
  onRequested: (email: string) => void
  onClose: () => void
}

/** The new address proves itself by the link that goes there; until then nothing changes. */
export function ChangeEmailDialog({ onRequested, onClose }: ChangeEmailDialogProps) {
  const [email, setEmail] = useState('')
  const ask = useMutation({
    mutationFn: () => api.security.requestEmailChange({ email }),
    onSuccess: () => {
      onRequested(email.trim())
      onClose()
    },
  })
  const onField = fieldMessage(ask.error, 'email')
  const failure =
    ask.error && !onField && !isDeclinedStepUp(ask.error) ? explainShortly(ask.error) : undefined
  return (
    <FormDialog
      title="Change address"
      action="Mail me a link"
      failure={failure}
      busy={ask.isPending}
      onSubmit={ask.mutate}
      onClose={onClose}
    >
      <TextField
        label="New address"
        hint="We mail a link there, and word of it to the address you have."
        type="email"
        autoComplete="email"
        data-autofocus
        required
        maxLength={254}
        value={email}
        error={onField}
        onChange={(event) => setEmail(event.target.value)}
      />
    </FormDialog>
  )
}
