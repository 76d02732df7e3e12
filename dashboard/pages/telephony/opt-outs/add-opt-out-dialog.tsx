import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureMessage, fieldMessage } from '../../../api/explain.ts'
import { telephonyApi } from '../../../api/telephony/client.ts'
import { type PhoneNumber, refreshTelephony } from '../../../api/telephony/overview.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { NumberOptions } from '../numbers/number-options.tsx'
import { asE164 } from '../phone.tsx'

export function AddOptOutDialog({ numbers, onClose }: { numbers: PhoneNumber[]; onClose: () => void }) {
  const [recipient, setRecipient] = useState('')
  const [numberId, setNumberId] = useState(numbers[0]!.id)
  const add = useMutation({
    mutationFn: () => telephonyApi.sms.addOptOut({ numberId, recipient: asE164(recipient) }),
    onSuccess: async (added) => {
      await refreshTelephony()
      toast(withNames`${added.recipient} receives no more messages`)
      onClose()
    },
  })
  const error = fieldMessage(add.error, 'recipient')
  return (
    <FormDialog
      title="Stop messages to a number"
      action="Stop messages"
      failure={error ? undefined : failureMessage(add.error)}
      busy={add.isPending}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <TextField
        label="Recipient"
        type="tel"
        required
        placeholder="+4930123456"
        autoComplete="off"
        data-autofocus
        value={recipient}
        error={error}
        onChange={(event) => setRecipient(event.target.value)}
      />
      <Select label="Your number" value={numberId} onChange={(event) => setNumberId(event.target.value)}>
        <NumberOptions numbers={numbers} by="id" />
      </Select>
    </FormDialog>
  )
}
