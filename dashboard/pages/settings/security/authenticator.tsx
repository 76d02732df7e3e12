import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { Button } from '../../../components/button.tsx'
import { ConfirmTyped } from '../../../components/dialogs/confirm-typed.tsx'
import { Status } from '../../../components/status.tsx'
import { toast } from '../../../components/toast.tsx'
import { AuthenticatorSetupDialog } from './authenticator-setup-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { useSecurityMutation, useSecurityRefresh } from './use-security-mutation.ts'

const CODES_FEW = 3

export function Authenticator({ enrolled, codesLeft }: { enrolled: boolean; codesLeft: number }) {
  const [codes, setCodes] = useState<string[]>()
  const [removing, setRemoving] = useState(false)
  const begin = useSecurityMutation(() => api.security.beginTotp())
  const renew = useSecurityMutation(() => api.security.renewRecoveryCodes())
  const refresh = useSecurityRefresh()
  return (
    <>
      {enrolled ? (
        <>
          <div className="flex flex-wrap items-center justify-between gap-x-16 gap-y-8">
            <Status meaning="good">Asked for when you sign in</Status>
            <Button look="quiet" onClick={() => setRemoving(true)}>
              Remove app
            </Button>
          </div>
          <div className="flex flex-wrap items-center justify-between gap-x-16 gap-y-8">
            <Status meaning={codesLeft > CODES_FEW ? 'good' : 'warning'}>{codesLabel(codesLeft)}</Status>
            <Button
              busy={renew.isPending}
              onClick={() => renew.mutate(undefined, { onSuccess: (made) => setCodes(made.recoveryCodes) })}
            >
              New recovery codes
            </Button>
          </div>
        </>
      ) : (
        <div className="flex items-center justify-between gap-16">
          <Status meaning="neutral">Not set up</Status>
          <Button busy={begin.isPending} onClick={() => begin.mutate()}>
            Set up
          </Button>
        </div>
      )}
      {begin.data && !codes && !enrolled && (
        <AuthenticatorSetupDialog
          secret={begin.data.secret}
          uri={begin.data.uri}
          onCodes={setCodes}
          onClose={begin.reset}
        />
      )}
      {codes && (
        <RecoveryCodesDialog
          codes={codes}
          onDone={() => {
            setCodes(undefined)
            begin.reset()
          }}
        />
      )}
      {removing && (
        <ConfirmTyped
          title="Remove the authenticator app"
          word="remove"
          action="Remove app"
          onConfirm={async () => {
            await api.security.removeTotp()
            refresh()
            toast('The authenticator app was removed')
          }}
          onClose={() => setRemoving(false)}
        >
          <p>
            You then sign in without a second proof, and your recovery codes stop working. You can set it up
            again at any time, with a new QR code.
          </p>
        </ConfirmTyped>
      )}
    </>
  )
}

function codesLabel(left: number): string {
  if (left === 0) return 'No recovery code left'
  return left === 1 ? '1 recovery code left' : `${left} recovery codes left`
}
