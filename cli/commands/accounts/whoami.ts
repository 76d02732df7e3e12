import { deviceLogin } from '../../../contract/accounts/device-login.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { print, printData, sanitize } from '../../terminal.ts'

export async function whoami(
  options: { server?: string; json?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const { server, client } = await connect(options.server, environment)
  const me = await parseResponse(server, deviceLogin.me, client.deviceLogin.me())
  if (options.json) return printData({ server, ...me })
  print(`${sanitize(me.user.name)} <${sanitize(me.user.email)}>`)
  print(`${me.role} of ${sanitize(me.organization.name)} at ${server}`)
  if (me.workspace) print(`Workspace: ${sanitize(me.workspace.name)}`)
  if (me.key) {
    const maskedKey = `${me.key.prefix}…${me.key.lastFour}`
    print(
      `Key: ${sanitize(me.key.name)} (${sanitize(maskedKey)}), ${me.key.readOnly ? 'read-only, ' : ''}scopes ${me.scopes?.join(', ') || 'none'}${me.key.expiresAt ? `, expires ${me.key.expiresAt.slice(0, 10)}` : ''}`,
    )
  }
}
