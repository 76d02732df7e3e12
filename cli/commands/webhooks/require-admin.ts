import { deviceLogin } from '../../../contract/accounts/device-login.ts'
import { type Connection, parseResponse } from '../../connect.ts'
import { Failure, ROLE_HINT } from '../../failure.ts'

/** Refuses members before a browser page opens that would refuse them. */
export async function requireAdmin({ server, client }: Connection): Promise<void> {
  const { role } = await parseResponse(server, deviceLogin.me, client.deviceLogin.me())
  if (role === 'member') throw new Failure('refused', 'Webhook management requires the admin role', ROLE_HINT)
}
