import { ApiFailure, readAnswer } from '../../client/client.ts'
import type { Connection } from '../connect.ts'
import { explain, Failure, notAtrium } from '../failure.ts'
import { writeAtomically } from './atomic-write.ts'
import { sha256 } from './hash.ts'
import type { Item } from './records.ts'
import { withRetry } from './retry.ts'
import { attempt, type Meter } from './transfer.ts'

/** Downloads a file to this path. The path exists only after the whole content has arrived and its hash matches. */
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
      await writeAtomically(target, checked(response, item, moved), { replace })
    })
  await withRetry(fetchOnce, { isRepeatable: true, signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw explain(error, server)
  })
}

/** The server redirects to a signed URL, possibly on another host; the API key is not sent there. */
async function bytesOf({ server, request }: Connection, id: string, signal: AbortSignal): Promise<Response> {
  const redirect = await request(`/api/v1/files/${id}?download=true`, { signal })
  if (redirect.ok) return redirect
  const location = redirect.status === 302 ? redirect.headers.get('location') : null
  if (location === null) return refused(redirect)
  const url = URL.canParse(location, server) ? new URL(location, server) : null
  if (!url || !/^https?:$/.test(url.protocol)) throw notAtrium(server, redirect.status)
  const response = await fetch(url, { signal, redirect: 'error' })
  return response.ok ? response : refused(response)
}

async function refused(response: Response): Promise<never> {
  await readAnswer(response, { envelope: true })
  throw new ApiFailure(response.status, { message: `The download failed with status ${response.status}` })
}

/** Stops when more bytes arrive than the record states, so that a response cannot fill the disk. */
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
  if (read < size) throw new ApiFailure(0, { message: 'The download was incomplete' })
  if (read > size || (promised !== null && hash.digest('hex') !== promised))
    throw new Failure('failed', 'The downloaded content does not match its hash')
}
