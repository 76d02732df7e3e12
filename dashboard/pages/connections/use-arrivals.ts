import { connectionApi } from '../../api/connections/connection-api.ts'
import { refreshConnections, showChanged } from '../../api/connections/connections.ts'
import { useConnectionNews } from '../../components/connectors/connection-news.ts'
import { announce } from './connect/start-connection.ts'

/** Shows a connection that another tab has completed, and confirms it here. */
export function useArrivals(): void {
  useConnectionNews(async ({ connectionId, error }) => {
    if (!connectionId || error) return refreshConnections()
    const connection = await connectionApi.connections.get({ id: connectionId }).catch(() => null)
    if (!connection) return refreshConnections()
    announce(connection)
    return showChanged(connection)
  })
}
