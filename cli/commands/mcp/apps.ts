import type { Command } from 'commander'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { connectedApps } from '../../../contract/mcp/connected-apps.ts'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { printData, printMessage, printTable, sanitize } from '../../terminal.ts'

interface AppOptions {
  server?: string
  json?: boolean
}

type App = OutputOf<typeof connectedApps.list>['items'][number]

/** Connecting an app requires the browser. */
export function addAppCommands(mcp: Command, environment: CliEnvironment): void {
  const apps = command(mcp, 'apps', 'List apps that act for you over MCP')
    .addHelpText('after', '\n<app> is an id or a name. Connect apps in the browser.\n')
    .action((options) => listApps(options, environment))
  command(apps, 'revoke <app>', 'Disconnect an app; its next request is refused').action((app, options) =>
    revokeApp(app, options, environment),
  )
}

async function listApps(options: AppOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const items = await readApps(connection)
  if (options.json) return printData({ items })
  const row = (app: App) => [
    app.id,
    sanitize(app.name),
    sanitize(app.host),
    app.access,
    dayOf(app.createdAt),
    app.lastUsedAt ? dayOf(app.lastUsedAt) : 'never',
    app.expiresAt ? dayOf(app.expiresAt) : '-',
  ]
  printTable([['ID', 'NAME', 'HOST', 'ACCESS', 'CONNECTED', 'LAST USED', 'ENDS'], ...items.map(row)])
}

async function revokeApp(ref: string, options: AppOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const found = (await readApps(connection)).filter(
    ({ id, name }) => id === ref.toLowerCase() || name === ref,
  )
  const [app] = found
  if (!app) throw new Failure('failed', `App ${ref} not found`, 'Run `npx atrium mcp apps` to list apps.')
  if (found.length > 1) throw new Failure('usage', `${found.length} apps are named ${ref}: use an id`)
  await parseResponse(server, connectedApps.revoke, client.connectedApps.revoke({ id: app.id }))
  if (options.json) return printData({ id: app.id, revoked: true })
  printMessage(`Disconnected ${sanitize(app.name)}`)
}

const readApps = async ({ server, client }: Connection): Promise<App[]> =>
  (await parseResponse(server, connectedApps.list, client.connectedApps.list())).items

const dayOf = (timestamp: string) => timestamp.slice(0, 10)
