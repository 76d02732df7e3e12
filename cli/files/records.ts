import type { z } from 'zod'
import type { RequestOf } from '../../contract/endpoint.ts'
import { type FileRecord, files } from '../../contract/files/files.ts'
import { ask, type Connection } from '../connect.ts'
import { Failure } from '../failure.ts'
import { patiently } from './retry.ts'

export type Item = z.output<typeof FileRecord>
type Query = Omit<RequestOf<typeof files.list>, 'limit' | 'page' | 'cursor'>

const PAGE_ITEMS = 100

/** A server that has answered is worth waiting for when it is away; of one that never did, it is said at once. */
const answered = new WeakSet<Connection>()

/** Everything a list holds, page by page. */
export async function* listAll(connection: Connection, query: Query): AsyncGenerator<Item> {
  const { server, client } = connection
  let cursor: string | undefined
  do {
    const input = { ...query, limit: PAGE_ITEMS, cursor }
    const page = await ask(
      server,
      files.list,
      reading(connection, () => client.files.list(input)),
    )
    yield* page.items
    cursor = page.nextCursor ?? undefined
  } while (cursor)
}

/** What is directly in a folder; null is the root. */
export const listFolder = (connection: Connection, id: string | null): AsyncGenerator<Item> =>
  listAll(connection, id ? { parentId: id } : {})

export async function readRecord(connection: Connection, id: string) {
  const { server, client } = connection
  return ask(
    server,
    files.get,
    reading(connection, () => client.files.get({ id })),
  )
}

export async function makeFolder({ server, client }: Connection, name: string, parentId: string | null) {
  const idempotencyKey = crypto.randomUUID()
  const create = () => client.files.create({ name, parentId, source: 'folder' }, { idempotencyKey })
  return recordOf(server, await ask(server, files.create, patiently(create, { isRepeatable: true })))
}

export const change = ({ server, client }: Connection, input: RequestOf<typeof files.update>) =>
  ask(
    server,
    files.update,
    patiently(() => client.files.update(input), { isRepeatable: true }),
  )

export const remove = ({ server, client }: Connection, id: string) =>
  ask(
    server,
    files.remove,
    patiently(() => client.files.remove({ id })),
  )

/** The record in the answer to a creation, which has two shapes. */
export function recordOf(server: string, answer: z.output<typeof files.create.output>): Item {
  const record = 'file' in answer ? answer.file : answer
  if (record.status !== 'ready') throw new Failure('failed', `${server} has not kept ${record.name}`)
  return record
}

export const isFolder = ({ source }: Item): boolean => source === 'folder'

async function reading<T>(connection: Connection, read: () => Promise<T>): Promise<T> {
  const answer = await patiently(read, { isRepeatable: answered.has(connection) })
  answered.add(connection)
  return answer
}
