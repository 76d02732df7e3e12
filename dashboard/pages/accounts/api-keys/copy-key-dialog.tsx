import { Code } from '../../../components/code.tsx'
import { SecretDialog } from '../../../components/dialogs/secret-dialog.tsx'
import type { CreatedKey } from './api-keys-queries.ts'
import { exampleRequest } from './example-request.ts'

/** The only time the key is shown in full. */
export function CopyKeyDialog({ created, onDone }: { created: CreatedKey; onDone: () => void }) {
  return (
    <SecretDialog
      title="Copy your key"
      what="key"
      value={created.key}
      about={`The key “${created.name}” is shown only once. Atrium stores a hash of it, not the key.`}
      onClose={onDone}
    >
      <div>
        <p className="mb-8 text-12 text-neutral-11">Example request:</p>
        <Code command what="example request">
          {exampleRequest(created.key)}
        </Code>
      </div>
    </SecretDialog>
  )
}
