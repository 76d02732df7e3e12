import { cacheConnection, connectionApi, refreshConnections } from '../../../api/connections.ts'
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
