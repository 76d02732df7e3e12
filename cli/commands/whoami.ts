import { deviceLogin } from '../../contract/accounts/device-login.ts'
import type { Surroundings } from '../config.ts'
import { ask, connect } from '../connect.ts'
import { plain, print, printData } from '../terminal.ts'

export async function whoami(
  options: { server?: string; json?: boolean },
  around: Surroundings,
): Promise<void> {
  const { server, client } = await connect(options.server, around)
  const me = await ask(server, deviceLogin.me, client.deviceLogin.me())
  if (options.json) return printData({ server, ...me })
  print(`${plain(me.user.name)} <${plain(me.user.email)}>`)
  print(`${me.role} of ${plain(me.organization.name)} at ${server}`)
  if (me.workspace) print(`in the workspace ${plain(me.workspace.name)}`)
  if (me.key) {
    const shown = `${me.key.prefix}…${me.key.lastFour}`
    print(`with the key ${plain(me.key.name)} (${plain(shown)}), scopes ${me.scopes?.join(', ') || 'none'}`)
  }
}
