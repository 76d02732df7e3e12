import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Pencil, RefreshCw, Trash2, UserRoundPen } from 'lucide-react'
import { useState } from 'react'
import { CONNECTION_LIMITS } from '../../../../../contract/connections/connector-options.ts'
import { LOCALE, t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { agentChoicesQuery } from '../../../../api/agents.ts'
import {
  type Connection,
  type Connector,
  cacheConnection,
  connectionApi,
  refreshConnections,
} from '../../../../api/connections.ts'
import { failureMessage, fieldMessage } from '../../../../api/explain.ts'
import { countsQuery } from '../../../../api/sidebar.ts'
import { Button } from '../../../../components/button.tsx'
import { connectionName } from '../../../../components/connectors/connection-labels.tsx'
import { ConfirmDialog } from '../../../../components/dialogs/confirm-dialog.tsx'
import { FormDialog } from '../../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../../components/forms/field.tsx'
import { Menu, MenuAction } from '../../../../components/menu.tsx'
import { withNames } from '../../../../components/name.tsx'
import { toastFailure } from '../../../../components/toast.tsx'
import { ConnectDialog } from '../connect/connect-dialog.tsx'
import { authorizeAgain } from '../connect/start-connection.ts'

interface ConnectionMenuProps {
  connection: Connection
  connector: Connector | undefined
}

export function ConnectionMenu({ connection, connector }: ConnectionMenuProps) {
  const { id } = connection
  const [dialog, setDialog] = useState<'rename' | 'credentials' | 'revoke'>()
  const close = () => setDialog(undefined)
  const authorize = useMutation({
    mutationFn: (selectAccount: boolean) => authorizeAgain(id, selectAccount),
    onSuccess: refreshConnections,
    onError: toastFailure,
  })
  const isOAuth = connection.connector.authType === 'oauth'
  return (
    <>
      <Menu
        trigger={
          <Button
            look="quiet"
            size="icon"
            aria-label={textWithNames`Actions for ${connectionName(connection)}`}
          >
            <Ellipsis aria-hidden className="icon" />
          </Button>
        }
      >
        {isOAuth && (
          <MenuAction icon={RefreshCw} label="Reconnect" onSelect={() => authorize.mutate(false)} />
        )}
        {isOAuth && (
          <MenuAction
            icon={UserRoundPen}
            label="Choose another account"
            onSelect={() => authorize.mutate(true)}
          />
        )}
        {connection.connector.authType === 'api_key' && (
          <MenuAction
            icon={RefreshCw}
            label="Replace credentials"
            onSelect={() => setDialog('credentials')}
          />
        )}
        <MenuAction icon={Pencil} label="Rename" onSelect={() => setDialog('rename')} />
        <MenuAction icon={Trash2} label="Revoke" onSelect={() => setDialog('revoke')} />
      </Menu>
      {dialog === 'rename' && <RenameDialog connection={connection} onClose={close} />}
      {dialog === 'revoke' && <RevokeDialog connection={connection} onClose={close} />}
      {dialog === 'credentials' && connector && (
        <ConnectDialog connector={connector} connection={connection} isFurther={false} onClose={close} />
      )}
    </>
  )
}

function RenameDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const [label, setLabel] = useState(connection.label ?? '')
  const save = useMutation({
    mutationFn: () => connectionApi.connections.update({ id: connection.id, label: label.trim() || null }),
    onSuccess: async (changed) => {
      await cacheConnection(changed)
      onClose()
    },
  })
  const labelError = fieldMessage(save.error, 'label')
  return (
    <FormDialog
      title="Rename connection"
      action="Save"
      failure={labelError ? undefined : failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextField
        label="Label (optional)"
        hint="Tells accounts at the same service apart."
        limit={CONNECTION_LIMITS.label}
        autoComplete="off"
        value={label}
        error={labelError}
        onChange={(event) => setLabel(event.target.value)}
      />
    </FormDialog>
  )
}

function RevokeDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const { id, connectorSlug, connector, shared, heldCount } = connection
  const navigate = useNavigate()
  const agents = (useQuery(agentChoicesQuery).data?.items ?? []).filter(({ allowedConnectors }) =>
    allowedConnectors.includes(connectorSlug),
  )
  const name = connectionName(connection)
  return (
    <ConfirmDialog
      title={withNames`Revoke ${name}`}
      phrase={connection.label ?? connector.name}
      action="Revoke connection"
      success={withNames`Revoked ${name}`}
      invalidates={[['connections'], countsQuery.queryKey]}
      mutate={() => connectionApi.connections.remove({ id })}
      onSuccess={() => navigate({ to: '/integrations' })}
      onClose={onClose}
    >
      <p>
        Stored tokens are deleted immediately and, where possible, revoked at {connector.name}. The
        connection’s endpoints are removed. This can’t be undone.
      </p>
      {agents.length > 0 && (
        <p>These agents can no longer use it: {agents.map((agent) => agent.name).join(', ')}.</p>
      )}
      {shared !== 'none' && (
        <p>
          {shared === 'org'
            ? t`Runs by others in the organization can no longer use it.`
            : t`Runs by others in the project can no longer use it.`}
        </p>
      )}
      {heldCount > 0 && (
        <p>
          {heldCount === 1
            ? t`1 held event won’t be processed.`
            : t`${heldCount.toLocaleString(LOCALE)} held events won’t be processed.`}
        </p>
      )}
    </ConfirmDialog>
  )
}
