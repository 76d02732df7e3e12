import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { isDeclinedStepUp, shortMessage } from '../../../api/explain.ts'
import { createPasskey, passkeyErrorMessage } from '../../../api/passkey.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { describeDevice } from './describe-device.ts'
import { useSecurityRefresh } from './use-security-mutation.ts'

export const PASSKEY_NAME_MAX = 60

export function AddPasskey({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState(() => describeDevice(navigator.userAgent).label)
  const refresh = useSecurityRefresh()
  const add = useMutation({
    mutationFn: async () => {
      const credential = await createPasskey(await api.passkeys.registrationOptions())
      return api.passkeys.add({ ...credential, name: name.trim() })
    },
    onSuccess: (passkey) => {
      onClose()
      toast(withNames`Added ${passkey.name}`)
      refresh()
    },
  })
  return (
    <FormDialog
      title="Add passkey"
      action="Add passkey"
      lead="Your browser will ask where to store it, and for your fingerprint, face or PIN."
      failure={errorText(add.error)}
      busy={add.isPending}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Helps you recognize it in the list."
        required
        maxLength={PASSKEY_NAME_MAX}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  )
}

function errorText(error: Error | null): string | undefined {
  if (!error || isDeclinedStepUp(error)) return undefined
  return passkeyErrorMessage(error) ?? shortMessage(error)
}
