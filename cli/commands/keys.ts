import { apiKeys } from '../../contract/accounts/api-keys.ts'
import { deviceLogin } from '../../contract/accounts/device-login.ts'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { CliEnvironment } from '../config.ts'
import { type Connection, connect, parseResponse } from '../connect.ts'
import { Failure } from '../failure.ts'
import { print, printData, printMessage, printTable, sanitize } from '../terminal.ts'
import { logout } from './logout.ts'

interface KeyOptions {
  server?: string
  json?: boolean
}

type Key = OutputOf<typeof apiKeys.update>

export async function listKeys(options: KeyOptions, environment: CliEnvironment): Promise<void> {
  const { server, client } = await connect(options.server, environment)
  const { items } = await parseResponse(server, apiKeys.list, client.apiKeys.list())
  if (options.json) return printData({ items })
  const row = (key: Key) => [
    key.id,
    sanitize(key.name),
    `${key.prefix}…${key.lastFour}`,
    [...(key.readOnly ? ['read-only'] : []), ...key.scopes].join(' '),
    formatDay(key.createdAt),
    key.lastUsedAt ? formatDay(key.lastUsedAt) : 'never',
  ]
  printTable([['ID', 'NAME', 'KEY', 'SCOPES', 'CREATED', 'LAST USED'], ...items.map(row)])
}

export async function renameKey(ref: string, name: string, options: KeyOptions, environment: CliEnvironment) {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id } = await findKey(connection, ref)
  const key = await parseResponse(server, apiKeys.update, client.apiKeys.update({ id, name }))
  if (options.json) return printData(key)
  print(`${key.id}  ${sanitize(key.name)}`)
}

/** A key cannot create another key, so that a leaked key cannot make itself permanent. */
export async function createKey(
  options: KeyOptions & { readOnly?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const { server } = await connect(options.server, environment)
  const access = options.readOnly ? 'read' : 'write'
  throw browserRequired('Creating', `${server}/settings/api-keys/new?access=${access}`)
}

/** A key may revoke itself, which signs out; revoking another key requires the browser and step-up. */
export async function revokeKey(
  ref: string,
  options: KeyOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client, credential } = connection
  const [found, me] = [
    await findKey(connection, ref),
    await parseResponse(server, deviceLogin.me, client.deviceLogin.me()),
  ]
  if (found.id !== me.key?.id) throw browserRequired('Revoking', `${server}/settings/api-keys`)
  if (credential) return logout(options, environment)
  await parseResponse(server, apiKeys.revoke, client.apiKeys.revoke({ id: found.id }))
  if (options.json) printData({ server, revoked: true, removed: false })
  printMessage('Revoked the key in ATRIUM_API_KEY')
}

/** Finds a key by id or by a unique name. */
async function findKey({ server, client }: Connection, ref: string): Promise<Key> {
  const { items } = await parseResponse(server, apiKeys.list, client.apiKeys.list())
  const found = items.filter(({ id, name }) => id === ref.toLowerCase() || name === ref)
  if (found.length === 1) return found[0]!
  if (found.length > 1) throw new Failure('usage', `${found.length} keys are named ${ref}: use an id`)
  throw new Failure('failed', `Key ${ref} not found`, 'Run `npx atrium keys ls` to list keys.')
}

const browserRequired = (action: string, url: string) =>
  new Failure('refused', `${action} an API key requires the browser`, url)

const formatDay = (timestamp: string) => timestamp.slice(0, 10)
