import { connections } from '../../../contract/connections/connections.ts'
import type { CliEnvironment } from '../../config.ts'
import { canConfirm, confirm } from '../../confirm.ts'
import { connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { print, printData, sanitize } from '../../terminal.ts'
import { accountOf, findConnection, nameOf } from './find.ts'

interface Options {
  server?: string
  json?: boolean
}

/** A connection that does not work is a failure, with the reason of the provider. */
export async function checkConnection(
  ref: string,
  options: Options,
  environment: CliEnvironment,
): Promise<void> {
  const to = await connect(options.server, environment)
  const { id } = await findConnection(to, ref)
  const checked = await parseResponse(to.server, connections.check, to.client.connections.check({ id }))
  if (options.json) printData(checked)
  if (checked.status !== 'active')
    throw new Failure(
      'failed',
      `${nameOf(checked)}: ${checked.statusReason ?? checked.status}`,
      `Connect it again: ${to.server}/connections/${id}`,
    )
  if (!options.json) print(`${sanitize(nameOf(checked))} works as ${sanitize(accountOf(checked))}`)
}

export async function revokeConnection(
  ref: string,
  options: Options & { yes?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const to = await connect(options.server, environment)
  const found = await findConnection(to, ref)
  const name = `${nameOf(found)} of ${accountOf(found)}`
  if (!options.yes) {
    if (!canConfirm())
      throw new Failure('usage', 'Without a terminal, revoke requires --yes', 'Add --yes to the command.')
    await confirm(`Revoke ${sanitize(name)}? Agents can no longer use it, and its endpoints are removed.`)
  }
  const removed = to.client.connections.remove({ id: found.id })
  const result = await parseResponse(to.server, connections.remove, removed)
  if (options.json) return printData(result)
  print(`Revoked ${sanitize(name)}`)
}
