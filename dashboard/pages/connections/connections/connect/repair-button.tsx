import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { type Connection, type Connector, refreshConnections } from '../../../../api/connections.ts'
import { Button } from '../../../../components/button.tsx'
import { connectionName } from '../../../../components/connectors/connection-labels.tsx'
import { toastFailure } from '../../../../components/toast.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { authorizeAgain, startByOAuth } from './start-connection.ts'

interface RepairButtonProps {
  connection: Connection
  connector: Connector | undefined
  isOwn: boolean
  size?: 'normal' | 'small'
  /** Shown even if the connection works. */
  always?: boolean
}

export function RepairButton({ connection, connector, isOwn, size = 'normal', always }: RepairButtonProps) {
  const { id, status, connectorSlug, label, config } = connection
  const isFailed = status === 'failed'
  const [isOpen, setOpen] = useState(false)
  const authorize = useMutation({
    // A connection that wasn't completed in time can't be continued.
    mutationFn: (): Promise<unknown> =>
      isFailed
        ? startByOAuth({ connectorSlug, label: label ?? undefined, config }, false)
        : authorizeAgain(id),
    onSuccess: refreshConnections,
    onError: toastFailure,
  })
  const isBroken = status !== 'active' && status !== 'revoked'
  if (!isOwn || !connector || connector.authType === 'none' || !(isBroken || always)) return null
  const verb = status === 'pending' ? t`Continue` : isFailed ? t`Try again` : t`Reconnect`
  return (
    <>
      <Button
        size={size}
        look={isBroken && size === 'normal' ? 'primary' : 'plain'}
        className="relative"
        busy={authorize.isPending}
        aria-label={textWithNames`${verb} ${connectionName(connection)}`}
        onClick={() => (connector.authType === 'oauth' ? authorize.mutate() : setOpen(true))}
      >
        {verb}
      </Button>
      {isOpen && (
        <ConnectDialog
          connector={connector}
          connection={isFailed ? undefined : connection}
          isFurther={false}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
