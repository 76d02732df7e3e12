import { textWithNames } from '../../../../contract/text-with-names.ts'
import { connectionApi } from '../../../api/connections/connection-api.ts'
import type { Connection } from '../../../api/connections/connections.ts'
import { accountOf, nameOf } from '../../../components/connectors/connection-labels.tsx'
import { toast } from '../../../components/toast.tsx'
import { openAuthorization } from './open-authorization.ts'

interface StartRequest {
  connectorSlug: string
  label?: string
  config?: Record<string, string>
}

/** Starts a connection and opens the page of the provider. */
export async function startByOAuth(request: StartRequest, isFurther: boolean): Promise<Connection> {
  let started: Connection | undefined
  await openAuthorization(async () => {
    const { connection, oauthUrl } = await connectionApi.connections.start(request)
    started = connection
    if (connection.status === 'active' || !isFurther) return oauthUrl
    // The provider would choose the account that is signed in there.
    return (await connectionApi.connections.postOAuth({ id: connection.id, selectAccount: true })).oauthUrl
  })
  return started!
}

/** Starts a connection and submits its credentials. A second attempt with a corrected key completes the same connection. */
export function createCredentialStart() {
  let pending: { key: string; connection: Connection } | undefined
  return async (request: StartRequest, credentials: Record<string, string>): Promise<Connection> => {
    const key = JSON.stringify(request)
    if (pending?.key !== key)
      pending = { key, connection: (await connectionApi.connections.start(request)).connection }
    const { id, status } = pending.connection
    return status === 'active' ? pending.connection : submitCredentials(id, credentials)
  }
}

export const submitCredentials = (id: string, credentials: Record<string, string>) =>
  connectionApi.connections.submitCredentials({ id, credentials })

/** Opens the page of the provider again, for a connection that is pending or does not work. */
export const authorizeAgain = (id: string, selectAccount = false) =>
  openAuthorization(async () => (await connectionApi.connections.postOAuth({ id, selectAccount })).oauthUrl)

/** Confirms a connection that works; one that uses OAuth is confirmed when its tab returns. */
export function confirmActive(connection: Connection): void {
  if (connection.status !== 'active') return
  const account = accountOf(connection)
  toast(
    account
      ? textWithNames`${nameOf(connection)} is connected as ${account}`
      : textWithNames`${nameOf(connection)} is connected`,
  )
}
