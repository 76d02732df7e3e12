import { ApiFailure, readAnswer } from '../../client/client.ts'
import type { Connection } from '../connect.ts'
import { explain, Failure, notAtrium } from '../failure.ts'
import { writeWhole } from './atomic-write.ts'
import { sha256 } from './hash.ts'
import type { Item } from './records.ts'
import { patiently } from './retry.ts'
import { attempt, type Meter } from './transfer.ts'

/** Fetches a file to exactly this path; it is there only once every byte has arrived and is the right one. */
export async function download(
  connection: Connection,
  item: Item,
  target: string,
  { signal, meter, replace }: { signal: AbortSignal; meter: Meter; replace: boolean },
): Promise<void> {
  const { server } = connection
  const fetchOnce = () =>
    attempt(server, signal, meter, async (moving, moved) => {
      const response = await bytesOf(connection, item.id, moving)
      await writeWhole(target, checked(response, item, moved), { replace })
    })
  await patiently(fetchOnce, { isRepeatable: true, signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw explain(error, server)
  })
}

/** The server answers with a signed address, which may be at another host: the key does not go there. */
async function bytesOf({ server, request }: Connection, id: string, signal: AbortSignal): Promise<Response> {
  const answer = await request(`/api/v1/files/${id}?download=true`, { signal })
  if (answer.ok) return answer
  const location = answer.status === 302 ? answer.headers.get('location') : null
  if (location === null) return refused(answer)
  const address = URL.canParse(location, server) ? new URL(location, server) : null
  if (!address || !/^https?:$/.test(address.protocol)) throw notAtrium(server, answer.status)
  const response = await fetch(address, { signal, redirect: 'error' })
  return response.ok ? response : refused(response)
}

async function refused(response: Response): Promise<never> {
  await readAnswer(response, { envelope: true })
  throw new ApiFailure(response.status, { message: `The bytes were answered with ${response.status}` })
}

/** Ends early when more comes than the record promises, so that no answer can fill the disk. */
async function* checked(
  { body }: Response,
  { size, sha256: promised }: Item,
  moved: (bytes: number) => void,
) {
  const hash = sha256()
  let read = 0
  for await (const chunk of body ?? []) {
    read += chunk.length
    if (read > size) break
    hash.update(chunk)
    moved(chunk.length)
    yield chunk
  }
  if (read < size) throw new ApiFailure(0, { message: 'The bytes ended early' })
  if (read > size || (promised !== null && hash.digest('hex') !== promised))
    throw new Failure('failed', 'Other bytes arrived than the record promises')
}
