import { fileVersions } from '../../../contract/files/file-versions.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { print, printData, printMessage, printTable, sanitize } from '../../terminal.ts'
import { find } from './find.ts'
import { formatMinute } from './list.ts'
import { withRetry } from './retry.ts'
import { formatBytes } from './sizes.ts'

interface VersionOptions {
  server?: string
  json?: boolean
}

const PAGE = 100

/** Newest first. */
export async function listVersions(
  path: string,
  options: VersionOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { item } = await find(connection, path)
  const items: Awaited<ReturnType<typeof read>>['items'] = []
  const read = (cursor: string | undefined) =>
    parseResponse(
      server,
      fileVersions.list,
      withRetry(() => client.fileVersions.list({ id: item.id, limit: PAGE, cursor })),
    )
  let cursor: string | undefined
  do {
    const page = await read(cursor)
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  if (options.json) return printData({ id: item.id, items })
  const row = ({ version, size, createdAt, sha256, current }: (typeof items)[number]) => [
    String(version),
    formatBytes(size),
    formatMinute(createdAt),
    (sha256 ?? '').slice(0, 12),
    current ? 'current' : '',
  ]
  printTable([['VERSION', 'SIZE', 'CREATED', 'SHA-256', ''], ...items.map(row)])
}

/** As a new version. */
export async function restoreVersion(
  path: string,
  version: string,
  options: VersionOptions,
  environment: CliEnvironment,
): Promise<void> {
  if (!/^[1-9]\d{0,8}$/.test(version)) throw new Failure('usage', `${version} is not a version number`)
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { item, path: foundPath } = await find(connection, path)
  const restored = await parseResponse(
    server,
    fileVersions.restore,
    client.fileVersions.restore({ id: item.id, version: Number(version) }),
  )
  if (options.json) return printData({ ...restored, path: foundPath })
  printMessage(`Restored version ${version}`)
  print(`${restored.id}  ${sanitize(foundPath)}`)
}
