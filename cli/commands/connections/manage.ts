import { connections } from '../../../contract/connections/connections.ts'
import type { CliEnvironment } from '../../config.ts'
import { canConfirm, confirm } from '../../confirm.ts'
import { connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { print, printData, sanitize } from '../../terminal.ts'
import { accountOf, accountSuffix, findConnection, nameOf } from './find.ts'

interface Options {
  server?: string
  json?: boolean
}

/** Fails with the reason of the provider if the connection does not work. */
export async function checkConnection(
  ref: string,
  options: Options,
  environment: CliEnvironment,
): Promise<void> {
  const api = await connect(options.server, environment)
  const { id } = await findConnection(api, ref)
  const connection = await parseResponse(api.server, connections.check, api.client.connections.check({ id }))
  if (options.json) printData(connection)
  if (connection.status !== 'active')
    throw new Failure(
      'failed',
      `${nameOf(connection)}: ${connection.statusReason ?? connection.status}`,
      `Connect it again: ${api.server}/connections/${id}`,
    )
  if (!options.json) print(`${sanitize(nameOf(connection))} works${accountSuffix(connection)}`)
}

export async function revokeConnection(
  ref: string,
  options: Options & { yes?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const api = await connect(options.server, environment)
  const connection = await findConnection(api, ref)
  const account = accountOf(connection)
  const name = account === null ? nameOf(connection) : `${nameOf(connection)} of ${account}`
  if (!options.yes) {
    if (!canConfirm())
      throw new Failure('usage', 'Without a terminal, revoke requires --yes', 'Add --yes to the command.')
    await confirm(`Revoke ${sanitize(name)}? Agents can no longer use it, and its endpoints are removed.`)
  }
  const removed = api.client.connections.remove({ id: connection.id })
  const result = await parseResponse(api.server, connections.remove, removed)
  if (options.json) return printData(result)
  print(`Revoked ${sanitize(name)}`)
}
