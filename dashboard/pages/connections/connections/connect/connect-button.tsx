import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { type Connector, cacheConnection } from '../../../../api/connections.ts'
import { useSession } from '../../../../api/session.ts'
import { Button } from '../../../../components/button.tsx'
import { ClientDialog } from '../../../../components/connectors/client-dialog.tsx'
import { toastFailure } from '../../../../components/toast.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { confirmActive, startByOAuth } from './start-connection.ts'

interface ConnectButtonProps {
  connector: Connector
  isConnected: boolean
  look?: 'primary' | 'plain'
  size?: 'normal' | 'small'
  /** Offers optional fields, such as a host, for one-click connectors. */
  withOptions?: boolean
  /** Replaces the button's verb. */
  label?: string
  onConnected?: () => void
}

/** One click if no settings are required, else a dialog. Renders nothing if the connector can't be connected. */
export function ConnectButton({
  connector,
  isConnected,
  look = 'plain',
  size = 'small',
  withOptions,
  label,
  onConnected,
}: ConnectButtonProps) {
  const { slug, name, authType, availability, configFields } = connector
  const { role } = useSession()
  const [dialog, setDialog] = useState<'connect' | 'client'>()
  const start = useMutation({
    mutationFn: () => startByOAuth({ connectorSlug: slug }, false),
    onSuccess: (connection) => {
      confirmActive(connection)
      return cacheConnection(connection)
    },
    onError: toastFailure,
  })
  const close = () => setDialog(undefined)
  const isUnconfigured = availability === 'unconfigured'
  const canConnect = availability === 'available' || availability === 'beta'
  if (isUnconfigured ? role === 'member' : !canConnect) return null
  const isDirect = authType === 'oauth' && !isConnected && configFields.every(({ required }) => !required)
  const run = () => {
    if (isUnconfigured) setDialog('client')
    else if (isDirect) start.mutate()
    else setDialog('connect')
  }
  const [verb, description] = isUnconfigured
    ? [t`Set up`, textWithNames`Set up ${name}`]
    : isConnected
      ? [t`Add account`, textWithNames`Add account for ${name}`]
      : [t`Connect`, textWithNames`Connect ${name}`]
  return (
    <>
      <Button look={look} size={size} busy={start.isPending} aria-label={description} onClick={run}>
        {label ?? verb}
      </Button>
      {withOptions && isDirect && canConnect && configFields.length > 0 && (
        <Button look="quiet" size={size} onClick={() => setDialog('connect')}>
          Options…
        </Button>
      )}
      {dialog === 'connect' && (
        <ConnectDialog
          connector={connector}
          isFurther={isConnected}
          onConnected={onConnected}
          onClose={close}
        />
      )}
      {dialog === 'client' && <ClientDialog connector={connector} onClose={close} />}
    </>
  )
}
