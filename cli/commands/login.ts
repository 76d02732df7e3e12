import { deviceLogin } from '../../contract/accounts/device-login.ts'
import { openBrowser } from '../browser.ts'
import type { Surroundings } from '../config.ts'
import { ask, chooseServer, clientOf } from '../connect.ts'
import { addCredential, readCredentials } from '../credentials.ts'
import { EXIT_CODES, Failure } from '../failure.ts'
import { waitForKey } from '../poll-token.ts'
import { plain, printData, style, tell } from '../terminal.ts'

interface LoginOptions {
  server?: string
  browser: boolean
  json?: boolean
}

/** Signs this terminal in: shows a code, waits until it is approved in a browser, and keeps the key. */
export async function login(options: LoginOptions, around: Surroundings): Promise<void> {
  const stored = await readCredentials(around.folder)
  const server = chooseServer(options.server, around, stored)
  const anyone = clientOf(server)
  if (isExposed(server))
    tell(style('yellow', `${server} is not encrypted: anybody on the way can read the key`))
  const request = anyone.deviceLogin.start({
    client_name: 'Atrium CLI',
    hostname: around.hostname || undefined,
  })
  const started = await ask(server, deviceLogin.start, request)

  tell()
  tell(`  Code  ${style('bold', plain(started.user_code))}`)
  tell(`  Page  ${plain(started.verification_uri_complete)}`)
  tell()
  tell('Open the page, check that it shows the same code, and approve.')
  if (options.browser && process.stderr.isTTY) openBrowser(started.verification_uri_complete)

  const { access_token: key, api_key } = await whileSpinning(() => waitForKey(server, anyone, started))
  const client = clientOf(server, key)
  const credential = { key, keyId: api_key.id, keyName: api_key.name }
  await addCredential(around.folder, server, credential).catch(async (error: unknown) => {
    // A key that nobody keeps would only lie about.
    await client.apiKeys.revoke({ id: api_key.id }).catch(() => {})
    throw error
  })
  await revokeReplaced(server, stored.servers[server])
  const { user, organization, scopes } = await ask(server, deviceLogin.me, client.deviceLogin.me())

  if (options.json) printData({ server, user, organization, key: { ...api_key, scopes } })
  tell(`Signed in to ${server} as ${style('bold', plain(user.email))}, ${plain(organization.name)}`)
  if (around.apiKey) tell(style('yellow', 'ATRIUM_API_KEY is set and decides over this sign-in.'))
}

async function revokeReplaced(server: string, before: { key: string; keyId: string } | undefined) {
  if (before)
    await clientOf(server, before.key)
      .apiKeys.revoke({ id: before.keyId })
      .catch(() => {})
}

const isExposed = (server: string) =>
  server.startsWith('http:') && !/^(localhost|127\..*|\[::1\])$/.test(new URL(server).hostname)

/** The spinner takes Ctrl-C for itself and then ends the process as if all were well: the exit code is set right. */
async function whileSpinning<T>(work: () => Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work()
  const onExit = () => {
    process.exitCode = EXIT_CODES.interrupted
  }
  const { spinner } = await import('@clack/prompts')
  const wheel = spinner({ output: process.stderr, onCancel: () => process.exit(EXIT_CODES.interrupted) })
  process.on('exit', onExit)
  wheel.start('Waiting for approval')
  try {
    const result = await work()
    wheel.stop('Approved')
    return result
  } catch (error) {
    wheel.error(error instanceof Failure ? error.message : 'Failed')
    throw error
  } finally {
    process.off('exit', onExit)
  }
}
