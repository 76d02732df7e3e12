import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { agentChoicesQuery } from '../../../../api/agents.ts'
import { connectionApi } from '../../../../api/connections/connection-api.ts'
import type { Connection } from '../../../../api/connections/connections.ts'
import { nameOf } from '../../../../components/connectors/connection-labels.tsx'
import { ConfirmDialog } from '../../../../components/dialogs/confirm-dialog.tsx'
import { withNames } from '../../../../components/name.tsx'

/** Lists the effects before the tokens are deleted. */
export function RevokeDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const { id, connectorSlug, connector, shared, heldCount } = connection
  const navigate = useNavigate()
  const agents = (useQuery(agentChoicesQuery).data?.items ?? []).filter(({ allowedConnectors }) =>
    allowedConnectors.includes(connectorSlug),
  )
  const name = nameOf(connection)
  return (
    <ConfirmDialog
      title={withNames`Revoke ${name}`}
      phrase={connection.label ?? connector.name}
      action="Revoke connection"
      success={withNames`Revoked ${name}`}
      invalidates={[['connections']]}
      mutate={() => connectionApi.connections.remove({ id })}
      onSuccess={() => navigate({ to: '/connections' })}
      onClose={onClose}
    >
      <p>
        The stored tokens are deleted immediately and revoked at {connector.name} where that is possible. The
        endpoints of the connection are removed. This cannot be undone.
      </p>
      {agents.length > 0 && (
        <p>These agents can no longer use it: {agents.map((agent) => agent.name).join(', ')}.</p>
      )}
      {shared !== 'none' && (
        <p>
          Runs of {shared === 'org' ? 'others in the organization' : 'others in the project'} stop using it.
        </p>
      )}
      {heldCount > 0 && (
        <p>
          {heldCount === 1 ? '1 held event is' : `${heldCount.toLocaleString('en')} held events are`} not
          processed.
        </p>
      )}
    </ConfirmDialog>
  )
}
