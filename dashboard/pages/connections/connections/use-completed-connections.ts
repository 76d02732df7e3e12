import { connectionApi } from '../../../api/connections/connection-api.ts'
import { cacheConnection, refreshConnections } from '../../../api/connections/connections.ts'
import { useAuthorizationResult } from '../../../components/connectors/authorization-result.ts'
import { confirmActive } from './connect/start-connection.ts'

/** Shows a connection that another tab has completed, and confirms it here. */
export function useCompletedConnections(): void {
  useAuthorizationResult(async ({ connectionId, error }) => {
    if (!connectionId || error) return refreshConnections()
    const connection = await connectionApi.connections.get({ id: connectionId }).catch(() => null)
    if (!connection) return refreshConnections()
    confirmActive(connection)
    return cacheConnection(connection)
  })
}
