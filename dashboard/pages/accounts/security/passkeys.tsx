import { useMutation } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { api } from '../../../api/client.ts'
import { isDeclinedStepUp, shortMessage } from '../../../api/explain.ts'
import { createPasskey, passkeyErrorMessage, passkeyObstacle } from '../../../api/passkey.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { Rename } from '../../../components/dialogs/rename.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { withNames } from '../../../components/name.tsx'
import { Row, Rows } from '../../../components/section.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { describeDevice } from './describe-device.ts'
import { type SecurityOverview, useSecurityRefresh } from './security-queries.ts'

type Passkey = SecurityOverview['passkeys'][number]

export function Passkeys({ passkeys }: { passkeys: Passkey[] }) {
  const obstacle = passkeyObstacle()
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Passkey>()
  return (
    <>
      {passkeys.length > 0 && (
        <Rows label="Passkeys">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setRemoving(passkey)} />
          ))}
        </Rows>
      )}
      <div className="flex items-center justify-between gap-16">
        <span className="text-13 text-neutral-11">
          {obstacle ?? (passkeys.length === 0 && t`No passkeys yet`)}
        </span>
        <Button disabled={obstacle !== null} onClick={() => setAdding(true)}>
          Add passkey
        </Button>
      </div>
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
      {removing && <RemovePasskey passkey={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const { id, name, synced, lastUsedAt, createdAt } = passkey
  const refresh = useSecurityRefresh()
  const rename = (next: string) => api.passkeys.rename({ id, name: next }).finally(refresh)
  return (
    <Row
      icon={<Fingerprint aria-hidden className="icon text-neutral-11" />}
      title={
        <>
          <Rename name={name} maxLength={PASSKEY_NAME_MAX} onRename={rename} />
          <span title={synced ? t`Synced by your password manager` : t`Stored on one device only`}>
            <Badge>{synced ? t`Synced` : t`This device only`}</Badge>
          </span>
        </>
      }
      note={
        <>
          {lastUsedAt ? (
            <>
              Last used <Time at={lastUsedAt} />
            </>
          ) : (
            t`Never used`
          )}
          {' · '}
          <span>
            Added <Time at={createdAt} />
          </span>
        </>
      }
    >
      <Button size="small" look="quiet" aria-label={textWithNames`Remove ${name}`} onClick={onRemove}>
        Remove
      </Button>
    </Row>
  )
}

function RemovePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const refresh = useSecurityRefresh()
  return (
    <ConfirmDialog
      title="Remove passkey"
      phrase={passkey.name}
      action="Remove passkey"
      mutate={() => api.passkeys.remove({ id: passkey.id })}
      onSuccess={refresh}
      success={withNames`Removed ${passkey.name}`}
      onClose={onClose}
    >
      <p>You won’t be able to sign in with this passkey. You can also delete it on your device.</p>
    </ConfirmDialog>
  )
}

const PASSKEY_NAME_MAX = 60

function AddPasskey({ onClose }: { onClose: () => void }) {
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
