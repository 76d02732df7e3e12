import type { CliEnvironment } from '../../config.ts'
import { chooseServer, clientOf } from '../../connect.ts'
import { readCredentials, removeCredential } from '../../credentials.ts'
import { explain, Failure } from '../../failure.ts'
import { printData, printMessage, sanitize, style } from '../../terminal.ts'

interface LogoutOptions {
  server?: string
  json?: boolean
}

/** Revokes the stored key and removes it. Removes it even if revoking fails, and reports that. */
export async function logout(options: LogoutOptions, environment: CliEnvironment): Promise<void> {
  const storedCredentials = await readCredentials(environment.folder)
  const server = chooseServer(options.server, environment, storedCredentials)
  const credential = storedCredentials.servers[server]
  if (!credential) throw new Failure('not signed in', `Not signed in to ${server}`)

  const problem = await clientOf(server, credential.key)
    .apiKeys.revoke({ id: credential.keyId })
    .then(() => null)
    .catch((error: unknown) => explain(error, server))
  const revoked = problem === null || problem.kind === 'not signed in'
  await removeCredential(environment.folder, server)

  if (options.json) printData({ server, revoked, removed: true })
  if (revoked) printMessage(`Signed out of ${server}: the key is revoked`)
  else {
    printMessage(
      style('yellow', `The key was removed from this machine but not revoked: ${sanitize(problem.message)}`),
    )
    printMessage(`Revoke “${sanitize(credential.keyName)}” at ${server}/settings/api-keys`)
  }
  if (environment.apiKey) printMessage(style('yellow', 'ATRIUM_API_KEY is still set; unset it to sign out.'))
}
