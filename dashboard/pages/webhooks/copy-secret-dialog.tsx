import { Button } from '../../components/button.tsx'
import { Copy } from '../../components/copy.tsx'
import { Dialog, DialogFooter } from '../../components/dialogs/dialog.tsx'
import { Samples } from './samples/samples.tsx'
import type { WebhookWithSecret } from './webhooks-queries.ts'

/** The only time the whole secret is on a screen. */
export function CopySecretDialog({ webhook, onDone }: { webhook: WebhookWithSecret; onDone: () => void }) {
  const { name, secret } = webhook
  return (
    <Dialog size="wide" title={`Store the secret of “${name}” now`} onClose={onDone} locked>
      <div className="flex flex-col gap-16">
        <p className="text-neutral-11">
          This is the only time it is shown. Whoever knows it can send to this webhook and sign in its name.
        </p>
        <div className="flex items-center gap-8 rounded-control border border-warning-line bg-warning-wash p-8">
          <output aria-label="The secret" className="min-w-0 flex-1 break-all font-mono text-13">
            {secret}
          </output>
          <Copy value={secret} what="secret" worded look="plain" />
        </div>
        <Samples webhook={webhook} secret={secret} />
        <DialogFooter>
          <Button look="primary" data-autofocus onClick={onDone}>
            I have stored it
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}
