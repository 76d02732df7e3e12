import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createCoalescedTask } from '../concurrency/coalesced-task.ts'
import type { Subscriber } from './notify.ts'
import type { EndReason, SseConnection } from './sse-connection.ts'

export interface Batch<C> {
  events: { cursor: C; frame: Buffer }[]
  next: C
  hasMore: boolean
  /** The streams end after these events. */
  isEnd?: boolean
}

export interface Source<C> {
  read: (after: C) => Promise<Batch<C>>
  /**
   * Set when all followers receive the same events: one read then serves everyone caught up. Otherwise each reads
   * separately.
   */
  seqOf?: (cursor: C) => number
}

export interface Follower<C> extends Source<C> {
  connection: SseConnection
  subscriber: Subscriber
  /** Stable across reconnects. */
  clientKey: string | null
  isAllowed: () => Promise<boolean>
  /** If false, a revocation ends the stream, and the heartbeat checks access. */
  checksEachRead: boolean
  cursor: C
  /** `opening` until the cursor is known, `live` once the topic's shared read serves it. */
  state: 'opening' | 'replaying' | 'live'
  /** Reads from the follower's own cursor, at its connection's speed. */
  replay: () => void
}

export type Topic<C> = ReturnType<typeof createTopic<C>>

const FOLLOWERS_PER_TURN = 20

export function createTopic<C>(name: string, log: Logger) {
  const followers = new Set<Follower<C>>()
  const sharedRead = createCoalescedTask(readForAll, (err) =>
    log.warn({ err, topic: name }, 'could not read new events'),
  )

  /** A stream that becomes live meanwhile waits for the next read: its cursor may precede the first event. */
  async function readForAll(): Promise<void> {
    const live = [...followers].filter(({ state }) => state === 'live')
    if (live.length === 0) return
    const furthestBehind = live.reduce((one, other) => (seqOf(other) < seqOf(one) ? other : one))
    const { events, hasMore, isEnd } = await furthestBehind.read(furthestBehind.cursor)
    const last = events.at(-1)
    if (!last && !isEnd) return
    const framesAfter = joinFrames(
      events.map(({ cursor, frame }) => ({ seq: furthestBehind.seqOf!(cursor), frame })),
    )
    for (const [index, follower] of live.entries()) {
      if (index > 0 && index % FOLLOWERS_PER_TURN === 0) await nextTurn()
      const { connection } = follower
      const frames = framesAfter(seqOf(follower))
      if (last && frames.length > 0 && !connection.destroyIfSlow()) {
        connection.send(frames)
        follower.cursor = last.cursor
      }
      if (isEnd) connection.finish()
    }
    if (hasMore) sharedRead.schedule()
  }

  const seqOf = (follower: Follower<C>) => follower.seqOf!(follower.cursor)

  async function replay(follower: Follower<C>): Promise<void> {
    const { connection } = follower
    for (let hasMore = true; hasMore; ) {
      if (!connection.isOpen()) return
      const batch = await follower.read(follower.cursor)
      // Checked after the read, so nothing committed after a revocation is sent.
      if (follower.checksEachRead && !(await follower.isAllowed())) return connection.end('access')
      for (const { cursor, frame } of batch.events) {
        connection.send(frame)
        follower.cursor = cursor
        await connection.waitForDrain()
      }
      follower.cursor = batch.next
      if (batch.isEnd) return connection.finish()
      hasMore = batch.hasMore
    }
    if (!follower.seqOf) return
    follower.state = 'live'
    sharedRead.schedule()
  }

  return {
    followers,
    add(follower: Omit<Follower<C>, 'replay' | 'state' | 'cursor'>): Follower<C> {
      const task = createCoalescedTask(
        () => replay(added),
        (err) => {
          log.warn({ err, topic: name }, 'could not read events for a stream')
          added.connection.destroy()
        },
      )
      const added = { ...follower, state: 'opening', replay: () => task.schedule() } as Follower<C>
      followers.add(added)
      return added
    },
    schedule(): void {
      sharedRead.schedule()
      for (const follower of followers) {
        if (!follower.seqOf && follower.state === 'replaying') follower.replay()
      }
    },
    /** The event is stored nowhere. Skips the client that caused it. */
    broadcast(frame: Buffer, exceptClient?: string, isFor?: (subscriber: Subscriber) => boolean): void {
      for (const { clientKey, connection, subscriber } of followers) {
        if (exceptClient !== undefined && clientKey === exceptClient) continue
        if (isFor && !isFor(subscriber)) continue
        if (!connection.destroyIfSlow()) connection.send(frame)
      }
    },
    hasClient: (clientKey: string) => [...followers].some((follower) => follower.clientKey === clientKey),
    end(reason: EndReason): void {
      for (const { connection } of [...followers]) connection.end(reason)
    },
  }
}

function joinFrames(events: { seq: number; frame: Buffer }[]) {
  const joined = new Map<number, Buffer>()
  return (after: number): Buffer => {
    const cached = joined.get(after)
    if (cached) return cached
    const frames = Buffer.concat(events.filter(({ seq }) => seq > after).map(({ frame }) => frame))
    joined.set(after, frames)
    return frames
  }
}
