import { Readable } from 'node:stream'
import { createSemaphore, type Release } from '../../../../concurrency/semaphore.ts'
import { Busy } from '../../../../errors.ts'

/** An open archive costs a connection, a file and a buffer, whether or not its client reads. */
const OPEN = { permits: 64, permitsPerKey: 8, waitMs: 0 }
/** Reading and compressing use the thread pool, which has four threads. */
const TURNS = { permits: 3, permitsPerKey: 2, waitMs: 60_000 }
/** Disconnects a client that reads nothing for this long, so that it does not occupy an open archive forever. */
const IDLE_MS = 60_000

const open = createSemaphore({ name: 'archives', ...OPEN })
const turns = createSemaphore({ name: 'archives', ...TURNS })

/**
 * Sends an archive piece by piece. Organizations take turns to produce the next piece; a client that reads slowly holds
 * no turn, since the next piece is produced when it has taken the last one.
 */
export function scheduleArchive(
  orgId: string,
  pieces: AsyncGenerator<Uint8Array>,
  { idleMs = IDLE_MS } = {},
): Readable {
  const release = open.tryAcquire(orgId) ?? refuse()
  const watch = () => setTimeout(() => content.destroy(), idleMs).unref()
  let idle = watch()
  const closed = new AbortController()

  async function* produce(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        clearTimeout(idle)
        const piece = await turns.run(orgId, () => pieces.next(), closed.signal)
        if (piece.done) return
        idle = watch()
        yield piece.value
      }
    } finally {
      await pieces.return(undefined)
    }
  }

  const content = Readable.from(produce())
  content.once('close', () => {
    clearTimeout(idle)
    closed.abort()
    release()
  })
  return content
}

function refuse(): Release {
  if (open.size().running >= OPEN.permits)
    throw new Busy('UNAVAILABLE', 'Too many archives are being downloaded: try again in a moment')
  throw new Busy(
    'RATE_LIMITED',
    `Your organization is already downloading ${OPEN.permitsPerKey} archives, the maximum: try again when one has finished`,
  )
}
