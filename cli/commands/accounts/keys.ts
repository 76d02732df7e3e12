import { apiKeys } from '../../../contract/accounts/api-keys.ts'
import { deviceLogin } from '../../../contract/accounts/device-login.ts'
import { keyAbilities } from '../../../contract/accounts/key-abilities.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { openPage, type PageOptions, pollFor, shouldWait } from '../../page.ts'
import { print, printData, printMessage, printTable, sanitize } from '../../terminal.ts'
import { logout } from './login.ts'

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
    String(totalCalls(key)),
    key.lastUsedAt ? formatDay(key.lastUsedAt) : 'never',
    formatExpiry(key),
  ]
  printTable([['ID', 'NAME', 'KEY', 'SCOPES', 'CALLS 14D', 'LAST USED', 'EXPIRES'], ...items.map(row)])
}

export async function showKey(ref: string, options: KeyOptions, environment: CliEnvironment): Promise<void> {
  const key = await findKey(await connect(options.server, environment), ref)
  const { can, cannot } = keyAbilities(key)
  if (options.json) return printData({ ...key, can, cannot })
  print(`${sanitize(key.name)}  ${key.prefix}…${key.lastFour}${key.readOnly ? '  read-only' : ''}`)
  print(`ID         ${key.id}`)
  print(`Scopes     ${key.scopes.join(' ') || 'none'}`)
  print(`Created    ${formatDay(key.createdAt)}`)
  print(`Expires    ${formatExpiry(key)}`)
  const address = key.lastUsedAddress ? ` from ${sanitize(key.lastUsedAddress)}` : ''
  print(`Last used  ${key.lastUsedAt ? `${key.lastUsedAt}${address}` : 'never'}`)
  print(`Calls      ${totalCalls(key)} in ${key.callsPerDay.length} days (${key.callsPerDay.join(' ')})`)
  for (const [title, sentences] of [
    ['The key can', can],
    ['The key cannot', cannot],
  ] as const) {
    print(`\n${title}:`)
    for (const sentence of sentences) print(`  - ${sentence}`)
  }
}

const totalCalls = ({ callsPerDay }: Key) => callsPerDay.reduce((sum, calls) => sum + calls, 0)

function formatExpiry({ expiresAt }: Key): string {
  if (expiresAt === null) return 'never'
  return Date.parse(expiresAt) > Date.now() ? formatDay(expiresAt) : 'expired'
}

export async function renameKey(ref: string, name: string, options: KeyOptions, environment: CliEnvironment) {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id } = await findKey(connection, ref)
  const key = await parseResponse(server, apiKeys.update, client.apiKeys.update({ id, name }))
  if (options.json) return printData(key)
  print(`${key.id}  ${sanitize(key.name)}`)
}

/** A key can't create another key, so a leaked key can't make itself permanent. */
export async function createKey(
  options: PageOptions & { readOnly?: boolean; expires?: string },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const access = options.readOnly ? 'read' : 'write'
  const { expires } = options
  if (expires !== undefined && !EXPIRY_DAYS.includes(expires))
    throw new Failure('usage', `Invalid --expires ${expires}: use ${EXPIRY_DAYS.join(', ')}`)
  const days = expires === undefined ? '' : `&days=${expires.slice(0, -1)}`
  const existingIds = new Set((await listAll(connection)).map(({ id }) => id))
  const path = `settings/api-keys/new?access=${access}${days}`
  const url = openPage(connection, { path, action: 'Create the key', subject: 'other keys' }, options)
  if (!shouldWait(options)) return options.json ? printData({ address: url }) : undefined

  const key = await pollFor(url, async () => {
    const added = (await listAll(connection)).filter(({ id }) => !existingIds.has(id))
    return added[0] ?? null
  })
  if (options.json) return printData({ address: url, key })
  print(`${key.id}  ${sanitize(key.name)}  ${key.prefix}…${key.lastFour}`)
  printMessage('Copy the key from the browser. It won’t be shown again.')
}

/** The choices on the page. */
const EXPIRY_DAYS = ['7d', '30d', '90d', '365d']

/** A key may revoke itself, which signs out. Revoking another key requires the browser and step-up. */
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
  if (found.id !== me.key?.id)
    throw new Failure(
      'refused',
      'An API key can revoke only itself',
      `Revoke the other key in the browser: ${server}/settings/api-keys`,
    )
  if (credential) return logout(options, environment)
  await parseResponse(server, apiKeys.revoke, client.apiKeys.revoke({ id: found.id }))
  if (options.json) printData({ server, revoked: true, removed: false })
  printMessage('Revoked the key in ATRIUM_API_KEY')
}

const listAll = async ({ server, client }: Connection): Promise<Key[]> =>
  (await parseResponse(server, apiKeys.list, client.apiKeys.list())).items

/** Accepts an id or a unique name. */
async function findKey(connection: Connection, ref: string): Promise<Key> {
  const found = (await listAll(connection)).filter(({ id, name }) => id === ref.toLowerCase() || name === ref)
  if (found.length === 1) return found[0]!
  if (found.length > 1) throw new Failure('usage', `${found.length} keys are named ${ref}: use an id`)
  throw new Failure('failed', `Key ${ref} not found`, 'Run `npx atrium keys ls` to list keys.')
}

const formatDay = (timestamp: string) => timestamp.slice(0, 10)
