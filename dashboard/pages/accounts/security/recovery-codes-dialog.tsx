import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Copy } from '../../../components/copy.tsx'
import { Dialog, DialogFooter } from '../../../components/dialogs/dialog.tsx'

/** Shows the recovery codes, once. The dialog closes only after the user has confirmed that they are saved. */
export function RecoveryCodesDialog({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [isSaved, setSaved] = useState(false)
  return (
    <Dialog title="Save your recovery codes" onClose={onDone} locked>
      <div className="flex flex-col gap-16">
        <p className="text-neutral-11">
          Use a code to sign in if you lose your authenticator app. Each works once. The codes are shown only
          once and replace any previous codes.
        </p>
        {/* The list has the focus, so that Enter after the last digit of a code presses no button. */}
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
          I have saved these codes
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
  const text = `Recovery codes for ${location.host}\nEach works once.\n\n${codes.join('\n')}\n`
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'atrium-recovery-codes.txt'
  link.click()
  URL.revokeObjectURL(url)
}
