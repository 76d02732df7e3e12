import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import {
  type Connection,
  type Connector,
  type ConnectorEndpoint,
  connectionApi,
  refreshEndpoints,
} from '../../../../api/connections.ts'
import { Button } from '../../../../components/button.tsx'
import { DeleteDialog } from '../../../../components/dialogs/confirm-dialog.tsx'
import { Status } from '../../../../components/status.tsx'
import { toastFailure } from '../../../../components/toast.tsx'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { ExistingEndpointSetup } from './setup-dialog.tsx'

interface EndpointActionsProps {
  endpoint: ConnectorEndpoint
  connection: Connection
  connector: Connector
  onDeleted: () => void
}

export function EndpointActions({ endpoint, connection, connector, onDeleted }: EndpointActionsProps) {
  const { id, name, status, registration, canEdit } = endpoint
  const [dialog, setDialog] = useState<'setup' | 'edit' | 'delete'>()
  const close = () => setDialog(undefined)
  const test = useMutation({
    mutationFn: () => connectionApi.connectorEndpoints.test({ id }),
    onSuccess: refreshEndpoints,
    onError: toastFailure,
  })
  const setStatus = useMutation({
    mutationFn: (next: ConnectorEndpoint['status']) =>
      connectionApi.connectorEndpoints.update({ id, status: next }),
    onSuccess: refreshEndpoints,
    onError: toastFailure,
  })
  if (!canEdit) return null
  const isPaused = status === 'paused'
  return (
    <>
      <div className="flex flex-wrap gap-8">
        <Button busy={test.isPending} onClick={() => test.mutate()}>
          Test
        </Button>
        <Button busy={setStatus.isPending} onClick={() => setStatus.mutate(isPaused ? 'active' : 'paused')}>
          {isPaused ? t`Resume` : t`Pause`}
        </Button>
        <Button onClick={() => setDialog('edit')}>Edit</Button>
        {registration === 'by_hand' && <Button onClick={() => setDialog('setup')}>Setup</Button>}
        <Button look="quiet" onClick={() => setDialog('delete')}>
          Delete
        </Button>
      </div>
      {test.data && (
        <ul aria-label="Checks" className="flex flex-col gap-8">
          {test.data.checks.map((check) => (
            <li key={check.name} className="flex gap-8 text-13">
              <Status meaning={check.ok ? 'good' : 'bad'}>{check.ok ? t`Works` : t`Missing`}</Status>
              <span className="wrap-anywhere min-w-0 flex-1 text-neutral-11">{check.message}</span>
            </li>
          ))}
        </ul>
      )}
      {dialog === 'setup' && <ExistingEndpointSetup id={id} onClose={close} />}
      {dialog === 'edit' && (
        <EndpointDialog connection={connection} connector={connector} endpoint={endpoint} onClose={close} />
      )}
      {dialog === 'delete' && (
        <DeleteDialog
          title="Delete endpoint"
          name={name}
          remove={() => connectionApi.connectorEndpoints.remove({ id })}
          refresh={async () => {
            await refreshEndpoints()
            onDeleted()
          }}
          onClose={close}
        >
          {connector.name} will no longer start {endpoint.agentName}. Waiting events aren’t handled;
          conversations and runs stay.
        </DeleteDialog>
      )}
    </>
  )
}
