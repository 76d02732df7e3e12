import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { Button } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Status } from '../../../components/status.tsx'
import { AuthenticatorSetupDialog } from './authenticator-setup-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { useSecurityMutation, useSecurityRefresh } from './use-security-mutation.ts'

const CODES_LOW = 3

export function Authenticator({ enrolled, codesLeft }: { enrolled: boolean; codesLeft: number }) {
  const [codes, setCodes] = useState<string[]>()
  const [isRemoving, setRemoving] = useState(false)
  const begin = useSecurityMutation(() => api.security.beginTotp())
  const renew = useSecurityMutation(() => api.security.renewRecoveryCodes())
  const refresh = useSecurityRefresh()
  return (
    <>
      {enrolled ? (
        <>
          <div className="flex flex-wrap items-center justify-between gap-x-16 gap-y-8">
            <Status meaning="good">Enabled</Status>
            <Button look="quiet" onClick={() => setRemoving(true)}>
              Remove
            </Button>
          </div>
          <div className="flex flex-wrap items-center justify-between gap-x-16 gap-y-8">
            <Status meaning={codesLeft > CODES_LOW ? 'good' : 'warning'}>{codesLabel(codesLeft)}</Status>
            <Button
              busy={renew.isPending}
              onClick={() =>
                renew.mutate(undefined, { onSuccess: (renewed) => setCodes(renewed.recoveryCodes) })
              }
            >
              Generate new codes
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
      {isRemoving && (
        <ConfirmDialog
          title="Remove authenticator app"
          phrase="remove"
          action="Remove app"
          mutate={() => api.security.removeTotp()}
          onSuccess={refresh}
          success="Authenticator app removed"
          onClose={() => setRemoving(false)}
        >
          <p>
            You will sign in without a second factor, and your recovery codes stop working. You can set up an
            app again at any time.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function codesLabel(left: number): string {
  if (left === 0) return 'No recovery codes left'
  return left === 1 ? '1 recovery code left' : `${left} recovery codes left`
}
