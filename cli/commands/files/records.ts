import type { z } from 'zod'
import type { RequestOf } from '../../../contract/endpoint.ts'
import { type FileRecord, files } from '../../../contract/files/files.ts'
import { type Connection, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { withRetry } from './retry.ts'

export type Item = z.output<typeof FileRecord>
type Query = Omit<RequestOf<typeof files.list>, 'limit' | 'page' | 'cursor'>

const PAGE_ITEMS = 100

/** Connections that got a response. Others don't retry an unreachable server, so a wrong URL fails fast. */
const respondingConnections = new WeakSet<Connection>()

export async function* listAll(connection: Connection, query: Query): AsyncGenerator<Item> {
  const { server, client } = connection
  let cursor: string | undefined
  do {
    const input = { ...query, limit: PAGE_ITEMS, cursor }
    const page = await parseResponse(
      server,
      files.list,
      readWithRetry(connection, () => client.files.list(input)),
    )
    yield* page.items
    cursor = page.nextCursor ?? undefined
  } while (cursor)
}

/** A null id is the root. */
export const listFolder = (connection: Connection, id: string | null): AsyncGenerator<Item> =>
  listAll(connection, id ? { parentId: id } : {})

export async function readRecord(connection: Connection, id: string) {
  const { server, client } = connection
  return parseResponse(
    server,
    files.get,
    readWithRetry(connection, () => client.files.get({ id })),
  )
}

export async function makeFolder({ server, client }: Connection, name: string, parentId: string | null) {
  const idempotencyKey = crypto.randomUUID()
  const create = () => client.files.create({ name, parentId, source: 'folder' }, { idempotencyKey })
  return createdRecord(
    server,
    await parseResponse(server, files.create, withRetry(create, { isRepeatable: true })),
  )
}

export const updateRecord = ({ server, client }: Connection, input: RequestOf<typeof files.update>) =>
  parseResponse(
    server,
    files.update,
    withRetry(() => client.files.update(input), { isRepeatable: true }),
  )

export const removeRecord = ({ server, client }: Connection, id: string) =>
  parseResponse(
    server,
    files.remove,
    withRetry(() => client.files.remove({ id })),
  )

/** The response has two shapes. */
export function createdRecord(server: string, response: z.output<typeof files.create.output>): Item {
  const record = 'file' in response ? response.file : response
  if (record.status !== 'ready') throw new Failure('failed', `${server} did not store ${record.name}`)
  return record
}

export const isFolder = ({ source }: Item): boolean => source === 'folder'

async function readWithRetry<T>(connection: Connection, read: () => Promise<T>): Promise<T> {
  const response = await withRetry(read, { isRepeatable: respondingConnections.has(connection) })
  respondingConnections.add(connection)
  return response
}
