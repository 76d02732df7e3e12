import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../contract/text.ts'
import {
  type Connector,
  connectionApi,
  refreshConnections,
  refreshConnectors,
} from '../../api/connections.ts'
import { failureMessage, fieldMessage } from '../../api/explain.ts'
import { Code } from '../code.tsx'
import { FormDialog } from '../dialogs/form-dialog.tsx'
import { TextField } from '../forms/field.tsx'
import { PasswordField } from '../forms/password-field.tsx'
import { withNames } from '../name.tsx'
import { toast } from '../toast.tsx'
import { ConnectorFields, enteredValues, type FieldValues } from './connector-fields.tsx'

interface ClientDialogProps {
  connector: Connector
  onClose: () => void
}

export function ClientDialog({ connector, onClose }: ClientDialogProps) {
  const { slug, name, client, configFields } = connector
  /** These name the server where the client is registered. */
  const hostFields = configFields.filter(({ key }) => client?.configFields.includes(key))
  const [clientId, setClientId] = useState(client?.clientId ?? '')
  const [clientSecret, setClientSecret] = useState('')
  const [config, setConfig] = useState<FieldValues>({})
  const save = useMutation({
    mutationFn: () =>
      connectionApi.connectors.setClient({
        slug,
        clientId: clientId.trim(),
        clientSecret: clientSecret.trim(),
        config: enteredValues(hostFields, config),
      }),
    onSuccess: async () => {
      await Promise.all([refreshConnectors(), refreshConnections()])
      toast(withNames`${name} is ready to connect`)
      onClose()
    },
  })
  const errorOf = (field: string) => fieldMessage(save.error, field)
  const fieldError = errorOf('clientId') ?? errorOf('clientSecret')
  return (
    <FormDialog
      size="normal"
      title={withNames`OAuth client for ${name}`}
      lead={t`Members connect ${name} through an OAuth client that your organization registers with the provider.`}
      action="Save client"
      failure={fieldError ? undefined : failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <ol className="flex list-decimal flex-col gap-12 pl-16 text-13 text-neutral-11 marker:text-neutral-11">
        <li>
          {client?.registerUrl ? (
            <>
              <a
                href={client.registerUrl}
                target="_blank"
                rel="noreferrer"
                className="text-selection-text underline"
              >
                Register an OAuth client for {name}
              </a>
              .
            </>
          ) : (
            t`Register an OAuth client for ${name} in the provider’s developer console.`
          )}
        </li>
        <li>
          <p className="mb-4">Enter this redirect URI there:</p>
          <Code what="redirect URI">{client?.redirectUri ?? ''}</Code>
        </li>
        <li>Enter the client ID and secret here.</li>
      </ol>
      <ConnectorFields
        fields={hostFields}
        values={config}
        onChange={setConfig}
        errorOf={(key) => errorOf(`config.${key}`)}
      />
      <TextField
        label="Client ID"
        required
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={clientId}
        error={errorOf('clientId')}
        onChange={(event) => setClientId(event.target.value)}
      />
      <PasswordField
        label="Client secret"
        hint="Stored encrypted and never shown again."
        required
        autoComplete="off"
        value={clientSecret}
        error={errorOf('clientSecret')}
        onChange={(event) => setClientSecret(event.target.value)}
      />
    </FormDialog>
  )
}
