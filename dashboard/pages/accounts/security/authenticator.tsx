import { Download } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { Button } from '../../../components/button.tsx'
import { Copy } from '../../../components/copy.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Dialog, DialogFooter } from '../../../components/dialogs/dialog.tsx'
import { Status } from '../../../components/status.tsx'
import { AuthenticatorSetupDialog } from './authenticator-setup-dialog.tsx'
import { useSecurityMutation, useSecurityRefresh } from './security-queries.ts'

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
          success={t`Authenticator app removed`}
          onClose={() => setRemoving(false)}
        >
          <p>
            You’ll sign in without a second factor, and your recovery codes will stop working. You can set up
            an app again anytime.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function codesLabel(left: number): string {
  if (left === 0) return t`No recovery codes left`
  return left === 1 ? t`1 recovery code left` : t`${left} recovery codes left`
}

/** Shown once. Closes only after the user confirms that they're saved. */
function RecoveryCodesDialog({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [isSaved, setSaved] = useState(false)
  return (
    <Dialog title="Save your recovery codes" onClose={onDone} locked>
      <div className="flex flex-col gap-16">
        <p className="text-neutral-11">
          Use a code to sign in if you lose your authenticator app. Each works once. They’re shown only once
          and replace any previous codes.
        </p>
        {/* Focuses the list, so Enter after a code's last digit presses no button. */}
        <ul
          aria-label="Recovery codes"
          tabIndex={-1}
          data-autofocus
          className="grid grid-cols-2 gap-x-16 gap-y-4 rounded-control border border-warning-line bg-warning-wash px-16 py-12 font-mono text-13"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-8">
          <Copy value={codes.join('\n')} what="recovery codes" withLabel look="plain" />
          <Button onClick={() => download(codes)}>
            <Download aria-hidden className="icon" />
            Download
          </Button>
        </div>
        <label className="flex items-center gap-8">
          <input
            type="checkbox"
            className="size-16 accent-accent-9"
            checked={isSaved}
            onChange={(event) => setSaved(event.target.checked)}
          />
          I’ve saved these codes
        </label>
        <DialogFooter>
          <Button look="primary" disabled={!isSaved} onClick={onDone}>
            Done
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}

function download(codes: string[]) {
  const text = t`Recovery codes for ${location.host}\nEach works once.\n\n${codes.join('\n')}\n`
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'atrium-recovery-codes.txt'
  link.click()
  URL.revokeObjectURL(url)
}
