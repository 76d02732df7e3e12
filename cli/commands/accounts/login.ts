import { deviceLogin } from '../../../contract/accounts/device-login.ts'
import { openBrowser } from '../../browser.ts'
import type { CliEnvironment } from '../../config.ts'
import { chooseServer, clientOf, parseResponse } from '../../connect.ts'
import { addCredential, readCredentials } from '../../credentials.ts'
import { EXIT_CODES, Failure } from '../../failure.ts'
import { waitForKey } from '../../poll-token.ts'
import { printData, printMessage, sanitize, style } from '../../terminal.ts'

interface LoginOptions {
  server?: string
  browser: boolean
  readOnly?: boolean
  json?: boolean
}

/** Signs in: shows a code, waits for approval in the browser, and stores the key. */
export async function login(options: LoginOptions, environment: CliEnvironment): Promise<void> {
  const storedCredentials = await readCredentials(environment.folder)
  const server = chooseServer(options.server, environment, storedCredentials)
  const anonymousClient = clientOf(server)
  if (isUnencrypted(server))
    printMessage(style('yellow', `${server} does not use HTTPS: the API key is sent unencrypted`))
  const start = anonymousClient.deviceLogin.start({
    client_name: 'Atrium CLI',
    hostname: environment.hostname || undefined,
    read_only: options.readOnly ?? false,
  })
  const pendingLogin = await parseResponse(server, deviceLogin.start, start)

  printMessage()
  printMessage(`  Code  ${style('bold', sanitize(pendingLogin.user_code))}`)
  printMessage(`  Page  ${sanitize(pendingLogin.verification_uri_complete)}`)
  printMessage()
  printMessage('Open the page, compare the code and approve.')
  if (options.browser && process.stderr.isTTY) openBrowser(pendingLogin.verification_uri_complete)

  const { access_token: key, api_key } = await withSpinner(() =>
    waitForKey(server, anonymousClient, pendingLogin),
  )
  const client = clientOf(server, key)
  const credential = { key, keyId: api_key.id, keyName: api_key.name }
  await addCredential(environment.folder, server, credential).catch(async (error: unknown) => {
    // Otherwise the key stays valid although no machine stores it.
    await client.apiKeys.revoke({ id: api_key.id }).catch(() => {})
    throw error
  })
  await revokeReplaced(server, storedCredentials.servers[server])
  const { user, organization, scopes } = await parseResponse(server, deviceLogin.me, client.deviceLogin.me())

  if (options.json) printData({ server, user, organization, key: { ...api_key, scopes } })
  printMessage(
    `Signed in to ${server} as ${style('bold', sanitize(user.email))}, ${sanitize(organization.name)}`,
  )
  if (environment.apiKey) printMessage(style('yellow', 'ATRIUM_API_KEY is set and overrides this sign-in.'))
}

async function revokeReplaced(server: string, previous: { key: string; keyId: string } | undefined) {
  if (previous)
    await clientOf(server, previous.key)
      .apiKeys.revoke({ id: previous.keyId })
      .catch(() => {})
}

const isUnencrypted = (server: string) =>
  server.startsWith('http:') && !/^(localhost|127\..*|\[::1\])$/.test(new URL(server).hostname)

/** The spinner handles Ctrl+C and exits with code 0, so the exit code is set here. */
async function withSpinner<T>(work: () => Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work()
  const onExit = () => {
    process.exitCode = EXIT_CODES.interrupted
  }
  const { spinner } = await import('@clack/prompts')
  const progress = spinner({ output: process.stderr, onCancel: () => process.exit(EXIT_CODES.interrupted) })
  process.on('exit', onExit)
  progress.start('Waiting for approval')
  try {
    const result = await work()
    progress.stop('Approved')
    return result
  } catch (error) {
    progress.error(error instanceof Failure ? error.message : 'Failed')
    throw error
  } finally {
    process.off('exit', onExit)
  }
}
