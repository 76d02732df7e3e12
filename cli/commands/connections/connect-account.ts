import { connections } from '../../../contract/connections/connections.ts'
import { connectors } from '../../../contract/connections/connectors.ts'
import { openBrowser } from '../../browser.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse, type Connection as Server } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { pollFor } from '../../page.ts'
import { print, printData, printMessage, sanitize } from '../../terminal.ts'
import { readCredentials } from './credentials.ts'
import { accountSuffix, type Connection, nameOf } from './find.ts'

interface ConnectOptions {
  server?: string
  json?: boolean
  label?: string
  field: string[]
  stdin?: boolean
  browser: boolean
}

/** Starts a connection, and completes it in the browser or with credentials. */
export async function connectAccount(
  slug: string,
  options: ConnectOptions,
  environment: CliEnvironment,
): Promise<void> {
  const api = await connect(options.server, environment)
  const { server, client } = api
  const connector = await parseResponse(server, connectors.get, client.connectors.get({ slug }))
  const config = fieldsOf(options.field)
  const credentials =
    connector.authType === 'api_key'
      ? await readCredentials(connector.credentialFields ?? [], options)
      : undefined
  const start = client.connections.start({ connectorSlug: slug, label: options.label, config, credentials })
  const { connection, oauthUrl } = await parseResponse(server, connections.start, start)
  const activeConnection =
    connection.status === 'active' || !oauthUrl
      ? connection
      : await authorize(api, connection, oauthUrl, options)
  if (options.json) return printData(activeConnection)
  print(`${sanitize(nameOf(activeConnection))} is connected${accountSuffix(activeConnection)}`)
  if (activeConnection.missingScopes.length > 0)
    printMessage(
      `Not granted: ${sanitize(activeConnection.missingScopes.join(' '))}. Some tools will not work.`,
    )
}

/** Parses texts such as `subdomain=acme`. */
function fieldsOf(texts: string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=')
      if (at < 1) throw new Failure('usage', `Invalid field ${text}`, 'Example: --field subdomain=acme')
      return [text.slice(0, at), text.slice(at + 1)]
    }),
  )
}

async function authorize(
  { server, client }: Server,
  { id }: Connection,
  url: string,
  { json, browser }: ConnectOptions,
): Promise<Connection> {
  if (json) printMessage(sanitize(url))
  else print(sanitize(url))
  printMessage('Open the page in a browser in which you are signed in to Atrium, and grant the permissions.')
  if (browser) openBrowser(url)
  const decided = await pollFor(url, async () => {
    const found = await parseResponse(server, connections.get, client.connections.get({ id }))
    return found.status === 'pending' ? null : found
  })
  if (decided.status === 'active') return decided
  throw new Failure('failed', `Not connected: ${decided.statusReason ?? decided.status}`)
}
