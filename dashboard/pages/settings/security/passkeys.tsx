import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { passkeysSupported } from '../../../api/passkey.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { ConfirmTyped } from '../../../components/dialogs/confirm-typed.tsx'
import { Rename } from '../../../components/dialogs/rename.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { Row, Rows } from '../section.tsx'
import { AddPasskey, PASSKEY_NAME_MAX } from './add-passkey.tsx'
import type { SecurityOverview } from './security-queries.ts'
import { useSecurityRefresh } from './use-security-mutation.ts'

type Passkey = SecurityOverview['passkeys'][number]

export function Passkeys({ passkeys }: { passkeys: Passkey[] }) {
  const [adding, setAdding] = useState(false)
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
          {passkeys.length === 0 && (passkeysSupported() ? 'None yet' : 'This browser knows no passkeys')}
        </span>
        {passkeysSupported() && <Button onClick={() => setAdding(true)}>Add a passkey</Button>}
      </div>
      {adding && <AddPasskey onClose={() => setAdding(false)} />}
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
          <span title={synced ? 'Your password manager keeps a copy' : 'It lives on one device only'}>
            <Badge>{synced ? 'synced' : 'one device'}</Badge>
          </span>
        </>
      }
      note={
        <>
          {lastUsedAt ? (
            <>
              used <Time at={lastUsedAt} />
            </>
          ) : (
            'never used'
          )}
          {' · added '}
          <Time at={createdAt} />
        </>
      }
    >
      <Button size="small" look="quiet" aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </Button>
    </Row>
  )
}

function RemovePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const refresh = useSecurityRefresh()
  return (
    <ConfirmTyped
      title="Remove this passkey"
      word={passkey.name}
      action="Remove passkey"
      onConfirm={async () => {
        await api.passkeys.remove({ id: passkey.id })
        refresh()
        toast(`Removed ${passkey.name}`)
      }}
      onClose={onClose}
    >
      <p>
        It opens nothing here from now on. The copy on your device stays until you delete it there; it is of
        no use any more.
      </p>
    </ConfirmTyped>
  )
}
