import { text } from 'node:stream/consumers'
import { connections } from '../../../contract/connections/connections.ts'
import { connectors } from '../../../contract/connections/connectors.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse, type Connection as Server } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { openBrowser, pollFor } from '../../page.ts'
import { parseJson } from '../../parse.ts'
import { canConfirm, print, printData, printMessage, sanitize } from '../../terminal.ts'
import { accountSuffix, type Connection, connectionName } from './connections.ts'
import type { Connector } from './connectors.ts'

interface ConnectOptions {
  server?: string
  json?: boolean
  label?: string
  field: string[]
  stdin?: boolean
  browser: boolean
}

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
  print(`${sanitize(connectionName(activeConnection))} is connected${accountSuffix(activeConnection)}`)
  if (activeConnection.missingScopes.length > 0)
    printMessage(`Not granted: ${sanitize(activeConnection.missingScopes.join(' '))}. Some tools won’t work.`)
}

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
  printMessage('Open the page in a browser where you’re signed in to Atrium, and grant the permissions.')
  if (browser) openBrowser(url)
  const decided = await pollFor(url, async () => {
    const found = await parseResponse(server, connections.get, client.connections.get({ id }))
    return found.status === 'pending' ? null : found
  })
  if (decided.status === 'active') return decided
  throw new Failure('failed', `Not connected: ${decided.statusReason ?? decided.status}`)
}

type Field = NonNullable<Connector['credentialFields']>[number]

/** Reads credentials from stdin or a hidden prompt. Never from an argument, which other programs can read. */
async function readCredentials(
  fields: readonly Field[],
  { stdin }: { stdin?: boolean },
): Promise<Record<string, string>> {
  if (stdin) return parseCredentials(await text(process.stdin))
  if (!canConfirm())
    throw new Failure(
      'usage',
      '--stdin is required without a terminal',
      `Send JSON with ${fields.map(({ key }) => key).join(', ')}.`,
    )
  const { isCancel, password, text: ask } = await import('@clack/prompts')
  const credentials: Record<string, string> = {}
  for (const { key, label, secret, required, hint } of fields) {
    if (hint) printMessage(sanitize(hint))
    const message = sanitize(required ? label : `${label} (optional)`)
    const typed = await (secret ? password({ message, mask: '' }) : ask({ message }))
    if (isCancel(typed)) throw new Failure('interrupted', 'Canceled')
    if (typed) credentials[key] = typed
  }
  return credentials
}

function parseCredentials(json: string): Record<string, string> {
  const value = parseJson(json)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (isObject && Object.values(value).every((each) => typeof each === 'string'))
    return value as Record<string, string>
  throw new Failure('usage', 'Stdin must be a JSON object with string values', 'Example: {"apiKey":"…"}')
}
