import type { Surroundings } from '../config.ts'
import { chooseServer, clientOf } from '../connect.ts'
import { readCredentials, removeCredential } from '../credentials.ts'
import { explain, Failure } from '../failure.ts'
import { plain, printData, style, tell } from '../terminal.ts'

interface LogoutOptions {
  server?: string
  json?: boolean
}

/** Revokes the key and forgets it. It is forgotten even where it cannot be revoked, and then that is said. */
export async function logout(options: LogoutOptions, around: Surroundings): Promise<void> {
  const stored = await readCredentials(around.folder)
  const server = chooseServer(options.server, around, stored)
  const credential = stored.servers[server]
  if (!credential)
    throw new Failure('not signed in', `Not signed in to ${server}: there is nothing to forget`)

  const problem = await clientOf(server, credential.key)
    .apiKeys.revoke({ id: credential.keyId })
    .then(() => null)
    .catch((error: unknown) => explain(error, server))
  const revoked = problem === null || problem.kind === 'not signed in'
  await removeCredential(around.folder, server)

  if (options.json) printData({ server, revoked, removed: true })
  if (revoked) tell(`Signed out of ${server}: the key is revoked`)
  else {
    tell(style('yellow', `The key is forgotten here, but not revoked: ${plain(problem.message)}`))
    tell(`Revoke “${plain(credential.keyName)}” at ${server}/settings/api-keys`)
  }
  if (around.apiKey) tell(style('yellow', 'ATRIUM_API_KEY is still set: unset it to be signed out.'))
}
