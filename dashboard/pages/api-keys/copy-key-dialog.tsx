import { Button } from '../../components/button.tsx'
import { Code } from '../../components/code.tsx'
import { Copy } from '../../components/copy.tsx'
import { Dialog, DialogFooter } from '../../components/dialogs/dialog.tsx'
import type { CreatedKey } from './api-keys-queries.ts'
import { exampleRequest } from './example-request.ts'

/** The only time the whole key is on a screen. */
export function CopyKeyDialog({ created, onDone }: { created: CreatedKey; onDone: () => void }) {
  return (
    <Dialog title={`Store “${created.name}” now`} onClose={onDone} locked>
      <div className="flex flex-col gap-16">
        <p className="text-neutral-11">
          This is the only time the key is shown. Atrium keeps a fingerprint of it, not the key itself.
        </p>
        <div className="flex items-center gap-8 rounded-control border border-warning-line bg-warning-wash p-8">
          <output aria-label="The new key" className="min-w-0 flex-1 break-all font-mono text-13">
            {created.key}
          </output>
          <Copy value={created.key} what="key" worded look="plain" />
        </div>
        <div>
          <p className="mb-8 text-12 text-neutral-11">Try it:</p>
          <Code command what="example call">
            {exampleRequest(created.key)}
          </Code>
        </div>
        <DialogFooter>
          <Button look="primary" data-autofocus onClick={onDone}>
            I have stored it
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}
