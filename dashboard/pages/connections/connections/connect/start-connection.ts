import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { type Connection, connectionApi } from '../../../../api/connections.ts'
import { accountName, connectionName } from '../../../../components/connectors/connection-labels.tsx'
import { toast } from '../../../../components/toast.tsx'

interface StartRequest {
  connectorSlug: string
  label?: string
  config?: Record<string, string>
}

export async function startByOAuth(request: StartRequest, isFurther: boolean): Promise<Connection> {
  let started: Connection | undefined
  await openAuthorization(async () => {
    const { connection, oauthUrl } = await connectionApi.connections.start(request)
    started = connection
    if (connection.status === 'active' || !isFurther) return oauthUrl
    // Otherwise the provider would pick the account signed in there.
    return (await connectionApi.connections.postOAuth({ id: connection.id, selectAccount: true })).oauthUrl
  })
  return started!
}

/** The server checks the credentials before storing anything. */
export async function startByCredentials(
  request: StartRequest,
  credentials: Record<string, string>,
): Promise<Connection> {
  return (await connectionApi.connections.start({ ...request, credentials })).connection
}

export const submitCredentials = (id: string, credentials: Record<string, string>) =>
  connectionApi.connections.submitCredentials({ id, credentials })

/** For a pending or broken connection. */
export const authorizeAgain = (id: string, selectAccount = false) =>
  openAuthorization(async () => (await connectionApi.connections.postOAuth({ id, selectAccount })).oauthUrl)

/** OAuth connections are confirmed when their tab returns. */
export function confirmActive(connection: Connection): void {
  if (connection.status !== 'active') return
  const account = accountName(connection)
  toast(
    account
      ? textWithNames`${connectionName(connection)} connected as ${account}`
      : textWithNames`${connectionName(connection)} connected`,
  )
}

/**
 * The new tab gets no access to this one. Call in a click handler: browsers block tabs opened after a request. Falls
 * back to this tab.
 */
async function openAuthorization(readUrl: () => Promise<string | null>): Promise<void> {
  const tab = window.open('', '_blank')
  try {
    const url = await readUrl()
    if (!url || !/^https?:/.test(url)) tab?.close()
    else if (tab) {
      tab.opener = null
      tab.location.replace(url)
    } else window.location.assign(url)
  } catch (error) {
    tab?.close()
    throw error
  }
}
