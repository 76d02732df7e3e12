import { useState } from 'react'
import { MCP_LIMITS } from '../../../../contract/agents/mcp-server-options.ts'
import { cacheMcpServer, type McpServerDetails, mcpServerApi } from '../../../api/mcp-servers.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { useCreateDialog } from '../../../components/dialogs/use-create-dialog.ts'
import { TextField } from '../../../components/forms/field.tsx'
import { CredentialFields, hasFieldError, NO_CREDENTIALS, toCredentialInput } from './credential-fields.tsx'

interface AddServerDialogProps {
  onClose: () => void
  onAdded: (server: McpServerDetails) => void
}

/** Tools are chosen on the server's page, where they are shown. */
export function AddServerDialog({ onClose, onAdded }: AddServerDialogProps) {
  const [url, setUrl] = useState('')
  const [name, setName] = useState('')
  const [credentials, setCredentials] = useState(NO_CREDENTIALS)
  const { form, errorOf } = useCreateDialog({
    create: () =>
      mcpServerApi.mcpServers.create({
        url: url.trim(),
        name: name.trim() || undefined,
        auth: credentials.auth,
        ...toCredentialInput(credentials),
      }),
    onCreated: async (server) => {
      await cacheMcpServer(server)
      onAdded(server)
    },
    onClose,
    isFieldError: hasFieldError,
  })
  return (
    <FormDialog
      title="Add MCP server"
      lead="Atrium connects to the server and lists its tools. You choose which ones agents can use."
      action="Connect"
      {...form}
    >
      <TextField
        label="URL"
        type="url"
        required
        autoComplete="off"
        placeholder="https://mcp.example.com/mcp"
        value={url}
        error={errorOf('url')}
        onChange={(event) => setUrl(event.target.value)}
      />
      <TextField
        label="Name (optional)"
        hint="Prefix for its tool names. Defaults to the name the server reports."
        limit={MCP_LIMITS.name}
        autoComplete="off"
        value={name}
        error={errorOf('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <CredentialFields
        value={credentials}
        onChange={(change) => setCredentials({ ...credentials, ...change })}
        errorOf={errorOf}
      />
    </FormDialog>
  )
}
