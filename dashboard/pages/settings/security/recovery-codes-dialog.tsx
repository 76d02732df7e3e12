import { Download } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { Copy } from '../../../components/copy.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'

/** The only time the recovery codes are shown. */
export function RecoveryCodesDialog({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Dialog title="Save your recovery codes" onClose={onDone} locked>
      <div className="flex flex-col gap-16">
        <p className="text-neutral-11">
          Use a code to sign in if you lose your authenticator app. Each works once. The codes are shown only
          once and replace any previous codes.
        </p>
        <ul
          aria-label="Recovery codes"
          className="grid grid-cols-2 gap-x-16 gap-y-4 rounded-control border border-warning-line bg-warning-wash px-16 py-12 font-mono text-13"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-8">
          <Copy value={codes.join('\n')} what="recovery codes" worded look="plain" />
          <Button onClick={() => download(codes)}>
            <Download aria-hidden className="icon" />
            Download
          </Button>
          <Button look="primary" data-autofocus className="ml-auto" onClick={onDone}>
            Done
          </Button>
        </div>
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
