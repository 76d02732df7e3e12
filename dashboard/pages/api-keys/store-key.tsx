import { Button } from '../../components/button.tsx'
import { Code } from '../../components/code.tsx'
import { Copy } from '../../components/copy.tsx'
import { Dialog, DialogFooter } from '../../components/dialogs/dialog.tsx'
import type { MintedKey } from './api-keys-queries.ts'
import { firstCall } from './first-call.ts'

/** The only time the whole key is on a screen. */
export function StoreKey({ minted, onStored }: { minted: MintedKey; onStored: () => void }) {
  return (
    <Dialog title={`Store “${minted.name}” now`} onClose={onStored} locked>
      <div className="flex flex-col gap-16">
        <p className="text-neutral-11">
          This is the only time the key is shown. Atrium keeps a fingerprint of it, not the key itself.
        </p>
        <div className="flex items-center gap-8 rounded-control border border-warning-line bg-warning-wash p-8">
          <output aria-label="The new key" className="min-w-0 flex-1 break-all font-mono text-13">
            {minted.key}
          </output>
          <Copy value={minted.key} what="key" worded look="plain" />
        </div>
        <div>
          <p className="mb-8 text-12 text-neutral-11">Try it:</p>
          <Code command what="example call">
            {firstCall(minted.key)}
          </Code>
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
