import { useQuery } from '@tanstack/react-query'
import { t } from '../../../../../contract/text.ts'
import { type CreatedEndpoint, endpointQuery } from '../../../../api/connections.ts'
import { Button } from '../../../../components/button.tsx'
import { Code } from '../../../../components/code.tsx'
import { Dialog, DialogFooter } from '../../../../components/dialogs/dialog.tsx'
import { withNames } from '../../../../components/name.tsx'

/** Without the secret. */
export function ExistingEndpointSetup({ id, onClose }: { id: string; onClose: () => void }) {
  const endpoint = useQuery(endpointQuery(id)).data
  return endpoint ? <SetupDialog endpoint={endpoint} onClose={onClose} /> : null
}

/** The secret is shown once, so Escape doesn't close the dialog. */
export function SetupDialog({ endpoint, onClose }: { endpoint: CreatedEndpoint; onClose: () => void }) {
  const { name, url, connectorName, setup } = endpoint
  return (
    <Dialog size="wide" locked title={withNames`Set up ${name} at ${connectorName}`} onClose={onClose}>
      <div className="flex flex-col gap-16">
        {setup.steps.length > 0 && (
          <ol className="flex list-decimal flex-col gap-8 pl-16 text-13 marker:text-neutral-11">
            {setup.steps.map((step) => (
              <li key={step} className="wrap-anywhere">
                <Step endpointUrl={url}>{step}</Step>
              </li>
            ))}
          </ol>
        )}
        <Labelled label="URL">
          <Code what="URL">{url}</Code>
        </Labelled>
        {setup.secret && (
          <Labelled label="Secret (shown only once)">
            <Code what="secret">{setup.secret}</Code>
          </Labelled>
        )}
        {setup.paste && (
          <Labelled label={setup.paste.label}>
            <Code tall what={setup.paste.label}>
              {setup.paste.text}
            </Code>
          </Labelled>
        )}
        <DialogFooter>
          <Button look="primary" data-autofocus onClick={onClose}>
            {setup.secret ? t`I’ve saved it` : t`Done`}
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}

function Step({ endpointUrl, children }: { endpointUrl: string; children: string }) {
  return children.split(/(https:\/\/[^\s,]+)/).map((part, index) =>
    index % 2 === 1 && part !== endpointUrl ? (
      <a
        key={part}
        href={part}
        target="_blank"
        rel="noreferrer"
        className="text-selection-text hover:underline"
      >
        {part}
      </a>
    ) : (
      part
    ),
  )
}

function Labelled({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col gap-4">
      <span className="font-medium text-13">{label}</span>
      {children}
    </div>
  )
}
