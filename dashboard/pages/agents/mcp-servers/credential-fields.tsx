import { MCP_AUTH_NAMES, MCP_AUTHS, type McpAuth } from '../../../../contract/agents/mcp-server-options.ts'
import { fieldMessage } from '../../../api/explain.ts'
import { TextField } from '../../../components/forms/field.tsx'
import { PasswordField } from '../../../components/forms/password-field.tsx'
import { Select } from '../../../components/forms/select.tsx'

export interface Credentials {
  auth: McpAuth
  headerName: string
  headerValue: string
  clientId: string
  clientSecret: string
}

export const NO_CREDENTIALS: Credentials = {
  auth: 'none',
  headerName: 'Authorization',
  headerValue: '',
  clientId: '',
  clientSecret: '',
}

export function toCredentialInput({ auth, headerName, headerValue, clientId, clientSecret }: Credentials) {
  if (auth === 'header') return { header: { name: headerName.trim(), value: headerValue.trim() } }
  if (auth === 'oauth' && clientId.trim())
    return { client: { id: clientId.trim(), ...(clientSecret.trim() && { secret: clientSecret.trim() }) } }
  return {}
}

const FIELDS = ['url', 'name', 'header', 'header.name', 'header.value', 'client.id']

export const hasFieldError = (error: unknown) => FIELDS.some((field) => fieldMessage(error, field))

interface CredentialFieldsProps {
  value: Credentials
  onChange: (change: Partial<Credentials>) => void
  errorOf: (field: string) => string | undefined
}

export function CredentialFields({ value, onChange, errorOf }: CredentialFieldsProps) {
  return (
    <>
      <Select
        label="Authentication"
        value={value.auth}
        hint={MCP_AUTHS[value.auth].description}
        onChange={(event) => onChange({ auth: event.target.value as McpAuth })}
      >
        {MCP_AUTH_NAMES.map((auth) => (
          <option key={auth} value={auth}>
            {MCP_AUTHS[auth].label}
          </option>
        ))}
      </Select>
      {value.auth === 'header' && (
        <>
          <TextField
            label="Header"
            required
            autoComplete="off"
            spellCheck={false}
            value={value.headerName}
            error={errorOf('header.name')}
            onChange={(event) => onChange({ headerName: event.target.value })}
          />
          <PasswordField
            label="Value"
            hint="Usually Bearer followed by a key. Stored encrypted and never shown again."
            required
            autoComplete="off"
            value={value.headerValue}
            error={errorOf('header.value') ?? errorOf('header')}
            onChange={(event) => onChange({ headerValue: event.target.value })}
          />
        </>
      )}
      {value.auth === 'oauth' && (
        <>
          <TextField
            label="Client ID (optional)"
            hint="Only needed if the authorization server doesn’t register clients automatically."
            autoComplete="off"
            spellCheck={false}
            value={value.clientId}
            error={errorOf('client.id')}
            onChange={(event) => onChange({ clientId: event.target.value })}
          />
          {value.clientId.trim() !== '' && (
            <PasswordField
              label="Client secret (optional)"
              autoComplete="off"
              value={value.clientSecret}
              error={errorOf('client.secret')}
              onChange={(event) => onChange({ clientSecret: event.target.value })}
            />
          )}
        </>
      )}
    </>
  )
}
