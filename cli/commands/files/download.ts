import { ApiFailure, readResponse } from '../../../client/client.ts'
import type { Connection } from '../../connect.ts'
import { explain, Failure, notAtrium } from '../../failure.ts'
import { sha256 } from './hash.ts'
import { writeAtomically } from './local-files.ts'
import type { Item } from './records.ts'
import { withRetry } from './retry.ts'
import { attempt, type Meter } from './transfer.ts'

/** `target` exists only once the whole content has arrived and its hash matches. */
export async function download(
  connection: Connection,
  item: Item,
  target: string,
  { signal, meter, replace }: { signal: AbortSignal; meter: Meter; replace: boolean },
): Promise<void> {
  const { server } = connection
  const fetchOnce = () =>
    attempt(server, signal, meter, async (attemptSignal, onBytes) => {
      const response = await openContent(connection, item.id, attemptSignal)
      await writeAtomically(target, verifyChunks(response, item, onBytes), { replace })
    })
  await withRetry(fetchOnce, { isRepeatable: true, signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw explain(error, server)
  })
}

/** The server redirects to a signed URL, possibly on another host. The API key isn't sent there. */
async function openContent(
  { server, request }: Connection,
  id: string,
  signal: AbortSignal,
): Promise<Response> {
  const redirect = await request(`/api/v1/files/${id}?download=true`, { signal })
  if (redirect.ok) return redirect
  const location = redirect.status === 302 ? redirect.headers.get('location') : null
  if (location === null) return throwFailure(redirect)
  const url = URL.canParse(location, server) ? new URL(location, server) : null
  if (!url || !/^https?:$/.test(url.protocol)) throw notAtrium(server, redirect.status)
  const response = await fetch(url, { signal, redirect: 'error' })
  return response.ok ? response : throwFailure(response)
}

async function throwFailure(response: Response): Promise<never> {
  await readResponse(response, { envelope: true })
  throw new ApiFailure(response.status, { message: `The download failed with status ${response.status}` })
}

/** Stops when more bytes arrive than the record states, so a response can't fill the disk. */
async function* verifyChunks(
  { body }: Response,
  { size, sha256: expectedHash }: Item,
  onBytes: (bytes: number) => void,
) {
  const hash = sha256()
  let received = 0
  for await (const chunk of body ?? []) {
    received += chunk.length
    if (received > size) break
    hash.update(chunk)
    onBytes(chunk.length)
    yield chunk
  }
  if (received < size) throw new ApiFailure(0, { message: 'The download was incomplete' })
  if (received > size || (expectedHash !== null && hash.digest('hex') !== expectedHash))
    throw new Failure('failed', 'The downloaded content doesn’t match its hash')
}
