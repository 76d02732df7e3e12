import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { type Connection, connectionApi } from '../../../../api/connections.ts'
import { accountOf, nameOf } from '../../../../components/connectors/connection-labels.tsx'
import { toast } from '../../../../components/toast.tsx'

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

/** Connects with credentials, which the server checks before it stores anything. */
export async function startByCredentials(
  request: StartRequest,
  credentials: Record<string, string>,
): Promise<Connection> {
  return (await connectionApi.connections.start({ ...request, credentials })).connection
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

/**
 * Opens the page of a provider in a new tab. Called in a click handler: a browser blocks a tab that opens after a
 * request. The page gets no access to this tab. If the browser blocks the tab, the page opens in this tab.
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
