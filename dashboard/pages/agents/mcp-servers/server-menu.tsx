import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { MCP_LIMITS } from '../../../../contract/agents/mcp-server-options.ts'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { failureMessage, fieldMessage } from '../../../api/explain.ts'
import { cacheMcpServer, type McpServerDetails, mcpServerApi } from '../../../api/mcp-servers.ts'
import { Button } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Switch } from '../../../components/forms/switch.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { withNames } from '../../../components/name.tsx'
import { CredentialFields, hasFieldError, NO_CREDENTIALS, toCredentialInput } from './credential-fields.tsx'

export function ServerMenu({ server }: { server: McpServerDetails }) {
  const { id, name, agents } = server
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  const navigate = useNavigate()
  const close = () => setDialog(undefined)
  return (
    <>
      <Menu
        trigger={
          <Button look="quiet" size="icon" aria-label={textWithNames`Actions for ${name}`}>
            <Ellipsis aria-hidden className="icon" />
          </Button>
        }
      >
        <MenuAction icon={Pencil} label="Edit" onSelect={() => setDialog('edit')} />
        <MenuAction icon={Trash2} label="Delete" onSelect={() => setDialog('delete')} />
      </Menu>
      {dialog === 'edit' && <EditServerDialog server={server} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={withNames`Delete ${name}`}
          phrase={name}
          action="Delete server"
          success={withNames`Deleted ${name}`}
          invalidates={[['mcp-servers'], ['agents']]}
          mutate={() => mcpServerApi.mcpServers.remove({ id })}
          onSuccess={() => navigate({ to: '/mcp-servers' })}
          onClose={close}
        >
          <p>This deletes the server, its credentials and its accepted tools. This can’t be undone.</p>
          {agents.length > 0 && (
            <p>These agents lose its tools: {agents.map((agent) => agent.name).join(', ')}.</p>
          )}
        </ConfirmDialog>
      )}
    </>
  )
}

/** Changing the URL requires the credentials again: a stored secret is never sent to another server. */
function EditServerDialog({ server, onClose }: { server: McpServerDetails; onClose: () => void }) {
  const { id, auth, headerName } = server
  const [name, setName] = useState(server.name)
  const [url, setUrl] = useState(server.url)
  const [replaces, setReplaces] = useState(false)
  const [credentials, setCredentials] = useState({
    ...NO_CREDENTIALS,
    auth,
    headerName: headerName ?? NO_CREDENTIALS.headerName,
  })
  const isUrlChanged = url.trim() !== server.url
  const requiresCredentials = replaces || isUrlChanged
  const save = useMutation({
    mutationFn: () =>
      mcpServerApi.mcpServers.update({
        id,
        name: name.trim(),
        ...(isUrlChanged && { url: url.trim() }),
        ...(requiresCredentials && { auth: credentials.auth, ...toCredentialInput(credentials) }),
      }),
    onSuccess: async (changed) => {
      await cacheMcpServer(changed)
      onClose()
    },
  })
  const errorOf = (field: string) => fieldMessage(save.error, field)
  return (
    <FormDialog
      title="Edit MCP server"
      action="Save"
      failure={hasFieldError(save.error) ? undefined : failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint={t`Tool names still start with mcp_${server.slug}_.`}
        limit={MCP_LIMITS.name}
        required
        autoComplete="off"
        value={name}
        error={errorOf('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="URL"
        type="url"
        required
        autoComplete="off"
        hint={isUrlChanged ? t`With a new URL, an admin must accept all tools again.` : undefined}
        value={url}
        error={errorOf('url')}
        onChange={(event) => setUrl(event.target.value)}
      />
      {!isUrlChanged && <Switch label="Replace credentials" checked={replaces} onChange={setReplaces} />}
      {requiresCredentials && (
        <CredentialFields
          value={credentials}
          onChange={(change) => setCredentials({ ...credentials, ...change })}
          errorOf={errorOf}
        />
      )}
    </FormDialog>
  )
}
