import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { explainShortly, isDeclinedStepUp } from '../../../api/explain.ts'
import { makePasskey, passkeyRefusal } from '../../../api/passkey.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/field.tsx'
import { toast } from '../../../components/toast.tsx'
import { describeDevice } from './describe-device.ts'
import { useSecurityRefresh } from './security-act.ts'

export const PASSKEY_NAME_MAX = 60

export function AddPasskey({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState(() => describeDevice(navigator.userAgent).words)
  const refresh = useSecurityRefresh()
  const add = useMutation({
    mutationFn: async () => {
      const answer = await makePasskey(await api.passkeys.registrationOptions())
      return api.passkeys.add({ ...answer, name: name.trim() })
    },
    onSuccess: (passkey) => {
      onClose()
      toast(`Added ${passkey.name}`)
      refresh()
    },
  })
  return (
    <Dialog size="small" title="Add a passkey" onClose={onClose}>
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (!add.isPending) add.mutate()
        }}
      >
        <p className="text-neutral-11">
          Your browser then asks where to keep it, and for your fingerprint or PIN.
        </p>
        <FormFailure>{whyNot(add.error)}</FormFailure>
        <TextField
          label="Name"
          hint="So that you know it from the others."
          required
          maxLength={PASSKEY_NAME_MAX}
          autoComplete="off"
          data-autofocus
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="flex justify-end gap-8">
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={add.isPending}>
            Add passkey
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function whyNot(error: Error | null): string | undefined {
  if (!error || isDeclinedStepUp(error)) return undefined
  return passkeyRefusal(error) ?? explainShortly(error)
}
