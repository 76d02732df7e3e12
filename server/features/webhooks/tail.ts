import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Pool } from '../../database/database.ts'
import { EVENTS_CHANNEL } from '../../events/publish.ts'
import { createReader, type Reader } from '../../live/reader.ts'

const AGE_MS = 120_000
const HEARTBEAT_MS = 15_000

interface Follower {
  reader: Reader
  read: () => Promise<Buffer[]>
  isReading: boolean
  wasTold: boolean
}

export type Tail = ReturnType<typeof createTail>

/** Who follows the events of which organization in this process. One connection listens for all, from the first on. */
export function createTail(pool: Pool, log: Logger) {
  const followers = new Map<string, Set<Follower>>()
  let listening: Promise<unknown> | undefined
  const listen = () => (listening ??= pool.listen(EVENTS_CHANNEL, wake, wakeAll))
  const wakeAll = () => [...followers.keys()].forEach(wake)

  function wake(orgId: string): void {
    for (const follower of followers.get(orgId) ?? []) void tell(follower)
  }

  /** One reading at a time; a word that comes meanwhile makes for another. */
  async function tell(follower: Follower): Promise<void> {
    follower.wasTold = true
    if (follower.isReading) return
    follower.isReading = true
    try {
      while (follower.wasTold && follower.reader.isOpen()) {
        follower.wasTold = false
        for (const event of await follower.read()) follower.reader.send(event)
        if (follower.reader.dropIfSlow()) return
      }
    } catch (err) {
      log.warn({ err }, 'could not read events for somebody who follows them')
      follower.reader.content.destroy()
    } finally {
      follower.isReading = false
    }
  }

  return {
    /** `read` is asked whenever something happened: what there is that it has not told yet. */
    async follow(orgId: string, read: () => Promise<Buffer[]>): Promise<Readable> {
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
      const follower: Follower = { reader, read, isReading: false, wasTold: false }
      followers.set(orgId, (followers.get(orgId) ?? new Set()).add(follower))
      reader.beat()
      void tell(follower)
      return reader.content
    },
    close(): void {
      for (const { reader } of [...followers.values()].flatMap((all) => [...all])) reader.end('closing')
    },
  }
}
