import { text } from 'node:stream/consumers'
import { publicLinks } from '../../../contract/files/public-links.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { canConfirm, print, printData, printMessage, printTable, sanitize } from '../../terminal.ts'
import { find } from './find.ts'
import { formatMinute } from './list.ts'
import { withRetry } from './retry.ts'

interface LinkOptions {
  server?: string
  json?: boolean
}

const DAY_MS = 86_400_000

/** The server returns the URL only once. */
export async function linkFile(
  path: string,
  options: LinkOptions & { days?: string; password?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const { days } = options
  if (days !== undefined && !/^[1-9]\d{0,3}$/.test(days))
    throw new Failure('usage', '--days must be a number')
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { item } = await find(connection, path)
  const password = options.password ? await readPassword() : null
  const expiresAt = days === undefined ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString()
  const link = await parseResponse(
    server,
    publicLinks.create,
    client.publicLinks.create({ id: item.id, expiresAt, password }),
  )
  if (options.json) return printData(link)
  printMessage('Anyone with this URL can read the file or folder. It won’t be shown again.')
  print(link.url ?? '')
}

/** Reads the password from a hidden prompt or stdin. Never from an argument, which other programs can read. */
async function readPassword(): Promise<string> {
  if (!canConfirm()) return (await text(process.stdin)).replace(/\r?\n$/, '')
  const { isCancel, password } = await import('@clack/prompts')
  const typed = await password({ message: 'Link password', mask: '' })
  if (isCancel(typed)) throw new Failure('interrupted', 'Canceled')
  return typed
}

/** Without a path, lists the organization's public links. */
export async function listLinks(
  path: string | undefined,
  options: LinkOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const read = async () => {
    if (path === undefined)
      return parseResponse(
        server,
        publicLinks.listAll,
        withRetry(() => client.publicLinks.listAll({ limit: 100 })),
      )
    const { item } = await find(connection, path)
    return parseResponse(
      server,
      publicLinks.list,
      withRetry(() => client.publicLinks.list({ id: item.id })),
    )
  }
  const { items } = await read()
  if (options.json) return printData({ items })
  if (items.length === 0) return printMessage('No public links')
  const row = ({ id, fileId, fileName, active, expiresAt, hasPassword }: (typeof items)[number]) => [
    id,
    active ? 'active' : 'ended',
    expiresAt ? formatMinute(expiresAt) : 'never',
    hasPassword ? 'yes' : 'no',
    sanitize(fileName ?? fileId),
  ]
  printTable([['ID', 'STATE', 'ENDS', 'PASSWORD', 'FILE'], ...items.map(row)])
}

/** Without an id, revokes all. */
export async function unlinkFile(
  path: string,
  linkId: string | undefined,
  options: LinkOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { item } = await find(connection, path)
  const listed = await parseResponse(server, publicLinks.list, client.publicLinks.list({ id: item.id }))
  const ids = linkId === undefined ? listed.items.map(({ id }) => id) : [linkId]
  for (const id of ids)
    await parseResponse(server, publicLinks.revoke, client.publicLinks.revoke({ id: item.id, linkId: id }))
  if (options.json) return printData({ revoked: ids })
  printMessage(ids.length === 0 ? 'The file has no public links' : `Revoked ${countOf(ids.length)}`)
}

const countOf = (count: number) => (count === 1 ? '1 public link' : `${count} public links`)
