import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Pool } from '../../../database/database.ts'
import { ApiError } from '../../../errors.ts'
import { EVENTS_CHANNEL } from '../../../events/publish.ts'
import { LIVE_CHANNEL, whoseAccess } from '../../../streams/notify.ts'
import { createReader, type Reader } from '../../../streams/sse-connection.ts'

const AGE_MS = 120_000
const HEARTBEAT_MS = 15_000

export interface Following {
  orgId: string
  userId: string
  /** What is said first. */
  begin: () => Promise<Buffer>
  /** Asked whenever something happened: what was not told yet. Null once it is not for them any more. */
  read: () => Promise<{ events: Buffer[]; isMore: boolean } | null>
}

interface Follower extends Following {
  reader: Reader
  isReading: boolean
  wasTold: boolean
}

export type Tail = ReturnType<typeof createTail>

/** Who follows the events of which organization in this process. One connection listens for all, from the first on. */
export function createTail(pool: Pool, log: Logger) {
  const followers = new Map<string, Set<Follower>>()
  let listening: Promise<unknown> | undefined
  let isClosed = false

  /** Refused once, the driver goes on trying by itself, and says so through `onListening`. */
  const listen = () =>
    (listening ??= Promise.all([
      pool.listen(LIVE_CHANNEL, checkAccess),
      pool.listen(EVENTS_CHANNEL, wake, onListening),
    ]))

  /** Whatever was said while nobody listened is found by reading. */
  function onListening(): void {
    listening = Promise.resolve()
    for (const orgId of followers.keys()) wake(orgId)
  }

  function wake(orgId: string): void {
    for (const follower of followers.get(orgId) ?? []) void tell(follower)
  }

  /** Whoever has lost their way in finds that out by reading. */
  function checkAccess(payload: string): void {
    const whose = whoseAccess(payload)
    if (whose === null) return
    const all = 'orgId' in whose ? [followers.get(whose.orgId) ?? []] : followers.values()
    for (const follower of [...all].flatMap((some) => [...some])) {
      if ('orgId' in whose || follower.userId === whose.userId) void tell(follower)
    }
  }

  /** One reading at a time, at the pace of who is told; a word that comes meanwhile makes for another. */
  async function tell(follower: Follower): Promise<void> {
    const { reader } = follower
    follower.wasTold = true
    if (follower.isReading) return
    follower.isReading = true
    try {
      while (follower.wasTold && reader.isOpen()) {
        follower.wasTold = false
        const news = await follower.read()
        if (news === null) return reader.end('access')
        for (const event of news.events) {
          reader.send(event)
          await reader.drained()
        }
        if (news.isMore) follower.wasTold = true
      }
    } catch (err) {
      log.warn({ err }, 'could not read events for somebody who follows them')
      reader.hangUp()
    } finally {
      follower.isReading = false
    }
  }

  function enter(following: Following): Follower {
    const { orgId } = following
    /** A session can come to its end without a word, so that is looked at with every beat. */
    const beat = setInterval(() => {
      reader.beat()
      void tell(follower)
    }, HEARTBEAT_MS).unref()
    const age = setTimeout(() => reader.end('age'), AGE_MS * (0.8 + 0.4 * Math.random())).unref()
    const reader = createReader(() => {
      clearInterval(beat)
      clearTimeout(age)
      const others = followers.get(orgId)
      others?.delete(follower)
      if (others?.size === 0) followers.delete(orgId)
    })
    const follower = { ...following, reader, isReading: false, wasTold: false }
    followers.set(orgId, (followers.get(orgId) ?? new Set()).add(follower))
    return follower
  }

  return {
    async follow(following: Following): Promise<Readable> {
      if (isClosed) throw new ApiError('UNAVAILABLE', 'The server is stopping: connect again')
      await listen()
      const first = await following.begin()
      const follower = enter(following)
      follower.reader.send(first)
      void tell(follower)
      return follower.reader.content
    },
    /** How many streams are open. */
    size: () => [...followers.values()].reduce((sum, { size }) => sum + size, 0),
    close(): void {
      isClosed = true
      for (const { reader } of [...followers.values()].flatMap((all) => [...all])) reader.end('closing')
    },
  }
}
