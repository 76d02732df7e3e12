import { apiKeys } from '../../contract/accounts/api-keys.ts'
import { deviceLogin } from '../../contract/accounts/device-login.ts'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Surroundings } from '../config.ts'
import { ask, type Connection, connect } from '../connect.ts'
import { Failure } from '../failure.ts'
import { plain, print, printData, printTable, tell } from '../terminal.ts'
import { logout } from './logout.ts'

interface KeyOptions {
  server?: string
  json?: boolean
}

type Key = OutputOf<typeof apiKeys.update>

export async function listKeys(options: KeyOptions, around: Surroundings): Promise<void> {
  const { server, client } = await connect(options.server, around)
  const { items } = await ask(server, apiKeys.list, client.apiKeys.list())
  if (options.json) return printData({ items })
  const row = (key: Key) => [
    key.id,
    plain(key.name),
    `${key.prefix}…${key.lastFour}`,
    key.scopes.join(' '),
    day(key.createdAt),
    key.lastUsedAt ? day(key.lastUsedAt) : 'never',
  ]
  printTable([['ID', 'NAME', 'KEY', 'SCOPES', 'CREATED', 'LAST USED'], ...items.map(row)])
}

export async function renameKey(which: string, name: string, options: KeyOptions, around: Surroundings) {
  const connection = await connect(options.server, around)
  const { server, client } = connection
  const { id } = await findKey(connection, which)
  const key = await ask(server, apiKeys.update, client.apiKeys.update({ id, name }))
  if (options.json) return printData(key)
  print(`${key.id}  ${plain(key.name)}`)
}

/** A key cannot mint another, so that one that leaks cannot make itself permanent. */
export async function createKey(options: KeyOptions, around: Surroundings): Promise<void> {
  const { server } = await connect(options.server, around)
  throw inBrowser('Creating', `${server}/settings/api-keys/new`)
}

/** A key may revoke itself, which is signing out; any other is revoked where one can prove who one is. */
export async function revokeKey(which: string, options: KeyOptions, around: Surroundings): Promise<void> {
  const connection = await connect(options.server, around)
  const { server, client, credential } = connection
  const [found, me] = [
    await findKey(connection, which),
    await ask(server, deviceLogin.me, client.deviceLogin.me()),
  ]
  if (found.id !== me.key?.id) throw inBrowser('Revoking', `${server}/settings/api-keys`)
  if (credential) return logout(options, around)
  await ask(server, apiKeys.revoke, client.apiKeys.revoke({ id: found.id }))
  if (options.json) printData({ server, revoked: true, removed: false })
  tell('The key in ATRIUM_API_KEY is revoked')
}

/** By id, or by a name that only one key has. */
async function findKey({ server, client }: Connection, which: string): Promise<Key> {
  const { items } = await ask(server, apiKeys.list, client.apiKeys.list())
  const found = items.filter(({ id, name }) => id === which.toLowerCase() || name === which)
  if (found.length === 1) return found[0]!
  if (found.length > 1)
    throw new Failure('usage', `${found.length} keys are called ${which}: name one by its id`)
  throw new Failure('failed', `There is no key ${which}`, '`atrium keys list` shows those there are.')
}

const inBrowser = (act: string, address: string) =>
  new Failure('refused', `${act} an API key needs the browser, where you can prove who you are`, address)

const day = (timestamp: string) => timestamp.slice(0, 10)
