import { Button } from '../../../components/button.tsx'
import { Copy } from '../../../components/copy.tsx'
import { Dialog, DialogFooter } from '../../../components/dialogs/dialog.tsx'

interface StoreLinkProps {
  /** What it is: `share link` or `invite link`. */
  what: string
  url: string
  /** What one who has it can do. */
  children: string
  onStored: () => void
}

/** The only time the whole link is on a screen. */
export function StoreLink({ what, url, children, onStored }: StoreLinkProps) {
  return (
    <Dialog title={`Store the ${what} now`} onClose={onStored} locked>
      <div className="flex flex-col gap-16">
        <p className="text-neutral-11">
          This is the only time it is shown. Atrium keeps a fingerprint of it, not the link itself. {children}
        </p>
        <div className="flex items-center gap-8 rounded-control border border-warning-line bg-warning-wash p-8">
          <output aria-label={`The ${what}`} className="min-w-0 flex-1 break-all font-mono text-13">
            {url}
          </output>
          <Copy value={url} what={what} worded look="plain" />
        </div>
        <DialogFooter>
          <Button look="primary" data-autofocus onClick={onStored}>
            I have stored it
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}
