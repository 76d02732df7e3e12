import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { type McpServerDetails, mcpServerApi } from '../../../api/mcp-servers.ts'
import { Button } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { withNames } from '../../../components/name.tsx'
import { EditServerDialog } from './edit-server-dialog.tsx'

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
          <p>This deletes the server with its credentials and accepted tools. This can’t be undone.</p>
          {agents.length > 0 && (
            <p>These agents lose its tools: {agents.map((agent) => agent.name).join(', ')}.</p>
          )}
        </ConfirmDialog>
      )}
    </>
  )
}
