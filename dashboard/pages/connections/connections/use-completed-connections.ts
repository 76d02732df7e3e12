import { cacheConnection, connectionApi, refreshConnections } from '../../../api/connections.ts'
import { useAuthorizationResult } from '../../../components/connectors/authorization-result.ts'
import { confirmActive } from './connect/start-connection.ts'

/** Shows and confirms a connection completed in another tab. */
export function useCompletedConnections(): void {
  useAuthorizationResult(async ({ connectionId, error }) => {
    if (!connectionId || error) return refreshConnections()
    const connection = await connectionApi.connections.get({ id: connectionId }).catch(() => null)
    if (!connection) return refreshConnections()
    confirmActive(connection)
    return cacheConnection(connection)
  })
}
