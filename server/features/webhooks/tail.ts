import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Pool } from '../../database/database.ts'
import { ApiError } from '../../errors.ts'
import { EVENTS_CHANNEL } from '../../events/publish.ts'
import { createReader, type Reader } from '../../live/reader.ts'

const AGE_MS = 120_000
const HEARTBEAT_MS = 15_000
/** Whoever is so far behind comes back and goes on where they were. */
const WAITING_MAX = 5000

/** What there is to tell of these events, or, by null, of everything since the follower came to where they are. */
export type Read = (ids: readonly string[] | null) => AsyncIterable<Buffer>

interface Follower {
  reader: Reader
  read: Read
  isReading: boolean
  /** What was heard of and not read yet. */
  news: Set<string>
  /** Something may have been missed. */
  isBehind: boolean
}

export type Tail = ReturnType<typeof createTail>

/** Who follows the events of which organization in this process. One connection listens for all, from the first on. */
export function createTail(pool: Pool, log: Logger) {
  const followers = new Map<string, Set<Follower>>()
  let listening: Promise<unknown> | undefined
  let isClosed = false
  /** Refused once, the driver goes on trying by itself, and says so through `onListening`. */
  const listen = () => (listening ??= pool.listen(EVENTS_CHANNEL, hear, onListening))

  function hear(word: string): void {
    const [orgId = '', id] = word.split(' ')
    for (const follower of followers.get(orgId) ?? []) {
      if (id) follower.news.add(id)
      else follower.isBehind = true
      if (follower.news.size > WAITING_MAX) follower.reader.hangUp()
      else void tell(follower)
    }
  }

  /** Whatever was said while nobody listened is found by looking. */
  function onListening(): void {
    listening = Promise.resolve()
    for (const follower of [...followers.values()].flatMap((all) => [...all])) {
      follower.isBehind = true
      void tell(follower)
    }
  }

  /** One reading at a time, and no faster than it is read at the other end; what comes meanwhile makes for another. */
  async function tell(follower: Follower): Promise<void> {
    const { reader, news } = follower
    if (follower.isReading) return
    follower.isReading = true
    try {
      while (reader.isOpen() && (follower.isBehind || news.size > 0)) {
        const ids = follower.isBehind ? null : [...news]
        follower.isBehind = false
        news.clear()
        for await (const event of follower.read(ids)) {
          reader.send(event)
          await reader.drained()
          if (!reader.isOpen()) return
        }
      }
    } catch (error) {
      if (!(error instanceof ApiError))
        log.warn({ err: error }, 'could not read events for somebody who follows them')
      reader.hangUp()
    } finally {
      follower.isReading = false
    }
  }

  return {
    /** `read` is asked whenever something happened; what it throws ends the stream. */
    async follow(orgId: string, read: Read): Promise<Readable> {
      if (isClosed) throw new ApiError('UNAVAILABLE', 'The server is stopping: connect again')
      await listen()
      const beat = setInterval(() => reader.beat(), HEARTBEAT_MS).unref()
      const age = setTimeout(() => reader.end('age'), AGE_MS * (0.8 + 0.4 * Math.random())).unref()
      const reader = createReader(() => {
        clearInterval(beat)
        clearTimeout(age)
        const others = followers.get(orgId)
        others?.delete(follower)
        if (others?.size === 0) followers.delete(orgId)
      })
      const follower: Follower = { reader, read, isReading: false, news: new Set(), isBehind: true }
      followers.set(orgId, (followers.get(orgId) ?? new Set()).add(follower))
      reader.beat()
      void tell(follower)
      return reader.content
    },
    close(): void {
      isClosed = true
      for (const { reader } of [...followers.values()].flatMap((all) => [...all])) reader.end('closing')
    },
  }
}
