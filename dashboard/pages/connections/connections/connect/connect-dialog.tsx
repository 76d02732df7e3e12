import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CONNECTION_LIMITS } from '../../../../../contract/connections/connector-options.ts'
import { t } from '../../../../../contract/text.ts'
import { type Connection, type Connector, cacheConnection } from '../../../../api/connections.ts'
import { failureMessage, fieldMessage } from '../../../../api/explain.ts'
import {
  ConnectorFields,
  enteredValues,
  type FieldValues,
  matches,
} from '../../../../components/connectors/connector-fields.tsx'
import { FormDialog } from '../../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../../components/forms/field.tsx'
import { withNames } from '../../../../components/name.tsx'
import { confirmActive, startByCredentials, startByOAuth, submitCredentials } from './start-connection.ts'

interface ConnectDialogProps {
  connector: Connector
  /** Another connection needs a label. */
  isFurther: boolean
  /** Re-enters this connection's credentials. */
  connection?: Connection
  /** Not called when another tab completes an authorization. */
  onConnected?: () => void
  onClose: () => void
}

/** Asks for a label for another account, a host, and credentials without OAuth. */
export function ConnectDialog({
  connector,
  isFurther,
  connection,
  onConnected,
  onClose,
}: ConnectDialogProps) {
  const { name, authType, configFields, credentialFields = [] } = connector
  const [label, setLabel] = useState('')
  const [values, setValues] = useState<FieldValues>({})
  const isOAuth = authType === 'oauth'
  const fields = connection ? credentialFields : [...configFields, ...credentialFields]
  const connect = useMutation({
    mutationFn: () => {
      const credentials = enteredValues(credentialFields, values)
      if (connection) return submitCredentials(connection.id, credentials)
      const request = {
        connectorSlug: connector.slug,
        label: label.trim() || undefined,
        config: enteredValues(configFields, values),
      }
      return isOAuth ? startByOAuth(request, isFurther) : startByCredentials(request, credentials)
    },
    onSuccess: async (connected) => {
      confirmActive(connected)
      await cacheConnection(connected)
      if (connected.status === 'active') onConnected?.()
      onClose()
    },
  })
  const errorOf = (key: string) =>
    fieldMessage(connect.error, `credentials.${key}`) ?? fieldMessage(connect.error, `config.${key}`)
  const hasFieldError = fieldMessage(connect.error, 'label') ?? fields.find(({ key }) => errorOf(key))
  return (
    <FormDialog
      title={connection ? withNames`Reconnect ${name}` : withNames`Connect ${name}`}
      lead={isOAuth ? t`${name} opens in a new tab and asks for your permission.` : LEAD}
      action={isOAuth ? t`Continue to ${name}` : t`Connect`}
      failure={hasFieldError ? undefined : failureMessage(connect.error)}
      busy={connect.isPending}
      onSubmit={() => {
        if (fields.every((field) => matches(field, values[field.key] ?? ''))) connect.mutate()
      }}
      onClose={onClose}
    >
      <ConnectorFields fields={fields} values={values} onChange={setValues} errorOf={errorOf} />
      {!connection && (isFurther || !isOAuth) && (
        <TextField
          label={isFurther ? t`Label` : t`Label (optional)`}
          hint={isFurther ? t`You already have a connection. Use a label to tell them apart.` : undefined}
          placeholder="Work"
          required={isFurther}
          limit={CONNECTION_LIMITS.label}
          autoComplete="off"
          value={label}
          error={fieldMessage(connect.error, 'label')}
          onChange={(event) => setLabel(event.target.value)}
        />
      )}
    </FormDialog>
  )
}

const LEAD = t`Credentials are checked with the provider, stored encrypted and never shown again.`
