import { ENDPOINT_LIMITS } from '../../../../../contract/connections/connector-endpoint-options.ts'
import { ConnectorFields } from '../../../../components/connectors/connector-fields.tsx'
import { PasswordField } from '../../../../components/forms/password-field.tsx'
import type { EndpointFieldsProps } from './endpoint-fields-props.ts'

/** The source of events, such as a repository, and the secret that the provider shows. */
export function SourceFields({ connector, endpoint, draft, update, errorOf }: EndpointFieldsProps) {
  const { receives } = connector
  if (!receives) return null
  const { fields, secret } = receives
  return (
    <>
      <ConnectorFields
        fields={fields}
        values={draft.fields}
        onChange={(values) => update({ fields: values })}
        errorOf={(key) => errorOf(`fields.${key}`)}
      />
      {secret && (
        <PasswordField
          label={secret.label}
          hint={endpoint ? `${secret.hint} Leave it empty to keep the stored one.` : secret.hint}
          required={!endpoint}
          limit={ENDPOINT_LIMITS.field}
          autoComplete="off"
          value={draft.secret}
          error={errorOf('secret')}
          onChange={(event) => update({ secret: event.target.value })}
        />
      )}
    </>
  )
}
