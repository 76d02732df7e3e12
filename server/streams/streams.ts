import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { createSemaphore } from '../concurrency/semaphore.ts'
import type { Pool } from '../database/database.ts'
import { ApiError } from '../errors.ts'
import type { Quotas } from '../metering/quotas.ts'
import type { Suspensions } from '../suspensions/suspensions.ts'
import { createChannel } from './channel.ts'
import { ACCESS_CHANNEL, type AccessSubject, isAffected, type Subscriber } from './notify.ts'
import { createSseConnection, type EndReason } from './sse-connection.ts'
import { createStreamSlots, type StreamOpener } from './stream-slots.ts'
import { createTopic, type Follower, type Source, type Topic } from './topic.ts'

const AGE_MS = 120_000
const HEARTBEAT_MS = 15_000
/** Limited so that many streams' heartbeats leave the pool to requests. */
const CONCURRENT_CHECKS_MAX = 4

export interface FollowOptions<C> extends Source<C> {
  topic: string
  subscriber: Subscriber
  isAllowed: () => Promise<boolean>
  /** Default: true, unless followers share reads. */
  checksEachRead?: boolean
  /** Throws if the subscriber isn't allowed. */
  open: () => Promise<{ cursor: C; frames: Buffer[] }>
  clientKey?: string | null
  /** In addition to the organization's limit. */
  openers: StreamOpener[]
  expiresAt?: Date | null
  ageMs?: number
  /** Sent if the stream ends early. Default: the event `ended`. */
  endFrameOf?: (reason: EndReason) => Buffer
  onClose?: () => void
}

interface StreamsOptions {
  quotas: Pick<Quotas, 'openStream'>
  suspensions: Pick<Suspensions, 'requireActive' | 'onSuspended'>
  ageMs?: number
  heartbeatMs?: number
  now?: () => Date
}

export type Streams = ReturnType<typeof createStreams>

export function createStreams(pool: Pool, log: Logger, options: StreamsOptions) {
  const { ageMs = AGE_MS, heartbeatMs = HEARTBEAT_MS, now = () => new Date(), suspensions } = options
  // Cursor types differ per topic and are unknown here.
  const topics = new Map<string, Topic<unknown>>()
  const channel = createChannel(pool, log)
  const checks = createSemaphore({
    name: 'streams',
    permits: CONCURRENT_CHECKS_MAX,
    permitsPerKey: CONCURRENT_CHECKS_MAX - 1,
    waitMs: ageMs,
  })
  /** Keeps a slow database from queueing a second check. */
  const checking = new Set<Follower<unknown>>()
  const slots = createStreamSlots(options.quotas)
  let heartbeat: NodeJS.Timeout | undefined
  let isClosed = false

  channel.subscribe(ACCESS_CHANNEL, {
    onMessage: (payload) => revoke(JSON.parse(payload)),
    onListening: recover,
  })

  suspensions.onSuspended((orgId) => {
    for (const { subscriber, connection } of allFollowers())
      if (subscriber.orgId === orgId) connection.end('access')
  })

  /**
   * A shared read can't check each follower, so they end now and are authorized on reconnecting. So do followers that
   * read too often. Others check with every read.
   */
  function revoke(subject: AccessSubject): void {
    for (const follower of allFollowers()) {
      if (!isAffected(follower.subscriber, subject)) continue
      if (!follower.checksEachRead) follower.connection.end('access')
      else if (follower.state !== 'opening') follower.replay()
    }
  }

  /** For lost notifications. Also checks followers that don't check on each read. */
  function recover(): void {
    readAll()
    const unchecked = allFollowers().filter((follower) => !follower.checksEachRead && !checking.has(follower))
    for (const follower of unchecked) void check(follower)
  }

  async function check(follower: Follower<unknown>): Promise<void> {
    const { connection, subscriber, isAllowed } = follower
    checking.add(follower)
    try {
      const isStillAllowed = await checks.run(
        subscriber.orgId,
        async () => !connection.isOpen() || isAllowed(),
      )
      if (!isStillAllowed) connection.end('access')
    } catch (err) {
      log.warn({ err }, 'could not check a stream’s access')
      connection.destroy()
    } finally {
      checking.delete(follower)
    }
  }

  /** A copy, because ending a stream removes it from its topic. */
  const allFollowers = () => [...topics.values()].flatMap(({ followers }) => [...followers])

  const readAll = () => {
    for (const topic of topics.values()) topic.schedule()
  }

  /** Credentials expire silently, and a process can stop between commit and NOTIFY. */
  function onHeartbeat(): void {
    for (const { connection } of allFollowers()) if (!connection.destroyIfSlow()) connection.ping()
    recover()
  }

  function end(): void {
    for (const topic of topics.values()) topic.end('closing')
  }

  function getOrCreateTopic<C>(name: string): Topic<C> {
    const topic = (topics.get(name) as Topic<C> | undefined) ?? createTopic<C>(name, log)
    topics.set(name, topic as Topic<unknown>)
    heartbeat ??= setInterval(onHeartbeat, heartbeatMs).unref()
    return topic
  }

  function removeIfEmpty(name: string): void {
    if (topics.get(name)?.followers.size === 0) topics.delete(name)
    if (topics.size > 0) return
    clearInterval(heartbeat)
    heartbeat = undefined
  }

  /** Varies by 20 %, so streams opened together don't reconnect together. */
  function lifetimeMs(expiresAt: Date | null, maxMs: number): number {
    const age = maxMs * (0.8 + 0.4 * Math.random())
    return expiresAt ? Math.max(0, Math.min(age, expiresAt.getTime() - now().getTime())) : age
  }

  return {
    /** Call before the first stream opens. */
    subscribe(name: string, onMessage: (payload: string) => void): void {
      channel.subscribe(name, { onMessage, onListening: readAll })
    },
    /** For subscribers that open no stream. */
    listen: async (): Promise<void> => void (await channel.listen()),
    /** Joins the topic before `open` checks permission, so a revocation in between is received. */
    async follow<C>(options: FollowOptions<C>): Promise<Readable> {
      if (isClosed) throw new ApiError('UNAVAILABLE', 'The server is stopping: connect again')
      const { subscriber, isAllowed, read, seqOf, clientKey = null, checksEachRead = !seqOf } = options
      await channel.listen()
      const freeSlot = await slots.take(subscriber.orgId, options.openers)
      const topic = getOrCreateTopic<C>(options.topic)
      const connection = createSseConnection(() => {
        clearTimeout(ageTimeout)
        freeSlot()
        topic.followers.delete(follower)
        removeIfEmpty(options.topic)
        options.onClose?.()
      }, options.endFrameOf)
      const lifetime = lifetimeMs(options.expiresAt ?? null, options.ageMs ?? ageMs)
      const ageTimeout = setTimeout(() => connection.end('age'), lifetime).unref()
      const follower = topic.add({
        connection,
        subscriber,
        isAllowed,
        checksEachRead,
        read,
        seqOf,
        clientKey,
      })
      try {
        suspensions.requireActive(subscriber.orgId)
        const { cursor, frames } = await options.open()
        for (const frame of frames) connection.send(frame)
        follower.cursor = cursor
        follower.state = 'replaying'
        follower.replay()
        return connection.content
      } catch (error) {
        connection.destroy()
        throw error
      }
    },
    /** Undefined if this process has no stream for the topic. */
    topic: (name: string): Pick<Topic<unknown>, 'schedule' | 'broadcast' | 'hasClient'> | undefined =>
      topics.get(name),
    size: () => [...topics.values()].reduce((sum, { followers }) => sum + followers.size, 0),
    /** Clients open them again. */
    end,
    close(): void {
      isClosed = true
      end()
    },
  }
}
