import { useMutation } from '@tanstack/react-query'
import { Ellipsis, Pencil, RefreshCw, Trash2, UserRoundPen } from 'lucide-react'
import { useState } from 'react'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import {
  type Connection,
  type Connector,
  refreshConnections,
} from '../../../../api/connections/connections.ts'
import { Button } from '../../../../components/button.tsx'
import { nameOf } from '../../../../components/connectors/connection-labels.tsx'
import { Menu, MenuAction } from '../../../../components/menu.tsx'
import { toastFailure } from '../../../../components/toast.tsx'
import { ConnectDialog } from '../connect/connect-dialog.tsx'
import { authorizeAgain } from '../connect/start-connection.ts'
import { RenameDialog } from './rename-dialog.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'

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
          <Button look="quiet" size="icon" aria-label={textWithNames`Actions for ${nameOf(connection)}`}>
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
