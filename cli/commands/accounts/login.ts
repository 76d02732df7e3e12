import { setTimeout } from 'node:timers/promises'
import { ApiFailure } from '../../../client/client.ts'
import { DEVICE_GRANT, deviceLogin } from '../../../contract/accounts/device-login.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { CliEnvironment } from '../../config.ts'
import { type AtriumClient, chooseServer, connect, createServerClient, parseResponse } from '../../connect.ts'
import { addCredential, readCredentials, removeCredential } from '../../credentials.ts'
import { EXIT_CODES, explain, Failure } from '../../failure.ts'
import { openBrowser } from '../../page.ts'
import { print, printData, printMessage, sanitize, style } from '../../terminal.ts'

interface LoginOptions {
  server?: string
  browser: boolean
  readOnly?: boolean
  json?: boolean
}

export async function login(options: LoginOptions, environment: CliEnvironment): Promise<void> {
  const storedCredentials = await readCredentials(environment.folder)
  const server = chooseServer(options.server, environment, storedCredentials)
  const anonymousClient = createServerClient(server)
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
  const client = createServerClient(server, key)
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
    await createServerClient(server, previous.key)
      .apiKeys.revoke({ id: previous.keyId })
      .catch(() => {})
}

const isUnencrypted = (server: string) =>
  server.startsWith('http:') && !/^(localhost|127\..*|\[::1\])$/.test(new URL(server).hostname)

/** The spinner handles Ctrl+C and exits with code 0, so set the exit code here. */
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

/** Added to the polling interval after `slow_down` (RFC 8628, section 3.5). */
const SLOW_DOWN_S = 5

type DeviceLogin = OutputOf<typeof deviceLogin.start>

async function waitForKey(server: string, client: AtriumClient, pendingLogin: DeviceLogin) {
  const deadline = Date.now() + pendingLogin.expires_in * 1000
  let interval = pendingLogin.interval
  while (Date.now() < deadline) {
    await setTimeout(interval * 1000)
    const pendingToken = client.deviceLogin
      .token({ device_code: pendingLogin.device_code, grant_type: DEVICE_GRANT })
      .catch((error: unknown) => {
        const step = nextStep(error)
        if (step === 'stop') throw failureOf(error, server)
        if (step === 'slow down') interval += SLOW_DOWN_S
        return null
      })
    const token = await pendingToken
    if (token) return parseResponse(server, deviceLogin.token, Promise.resolve(token))
  }
  throw expiredFailure()
}

/** Polls an unreachable server more slowly, as RFC 8628 advises. */
function nextStep(error: unknown): 'continue' | 'slow down' | 'stop' {
  if (!(error instanceof ApiFailure)) return 'stop'
  if (error.reason === 'authorization_pending') return 'continue'
  return error.reason === 'slow_down' || error.status === 0 || error.status >= 500 ? 'slow down' : 'stop'
}

function failureOf(error: unknown, server: string): Failure {
  const reason = error instanceof ApiFailure ? error.reason : undefined
  if (reason === 'access_denied') return new Failure('refused', 'The sign-in was denied in the browser')
  if (reason === 'expired_token' || reason === 'invalid_grant') return expiredFailure()
  return explain(error, server)
}

const expiredFailure = () =>
  new Failure('failed', 'The sign-in was not approved in time', 'Run `npx atrium login` again.')

interface LogoutOptions {
  server?: string
  json?: boolean
}

/** Removes the key even if revoking fails, and reports that. */
export async function logout(options: LogoutOptions, environment: CliEnvironment): Promise<void> {
  const storedCredentials = await readCredentials(environment.folder)
  const server = chooseServer(options.server, environment, storedCredentials)
  const credential = storedCredentials.servers[server]
  if (!credential) throw new Failure('not signed in', `Not signed in to ${server}`)

  const problem = await createServerClient(server, credential.key)
    .apiKeys.revoke({ id: credential.keyId })
    .then(() => null)
    .catch((error: unknown) => explain(error, server))
  const revoked = problem === null || problem.kind === 'not signed in'
  await removeCredential(environment.folder, server)

  if (options.json) printData({ server, revoked, removed: true })
  if (revoked) printMessage(`Signed out of ${server} and revoked the key`)
  else {
    printMessage(
      style('yellow', `The key was removed from this machine but not revoked: ${sanitize(problem.message)}`),
    )
    printMessage(`Revoke “${sanitize(credential.keyName)}” at ${server}/settings/api-keys`)
  }
  if (environment.apiKey) printMessage(style('yellow', 'ATRIUM_API_KEY is still set; unset it to sign out.'))
}

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
