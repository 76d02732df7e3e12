import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { LiveEvents } from '../../../../contract/canvas/live.ts'
import { createLocalRateLimit } from '../../../concurrency/local-rate-limit.ts'
import type { Pool } from '../../../database/database.ts'
import { ApiError } from '../../../errors.ts'
import { eventOf } from '../../../streams/live-events.ts'
import { type AccessSubject, LIVE_CHANNEL, type LiveMessage } from '../../../streams/notify.ts'
import { createReader } from '../../../streams/sse-connection.ts'
import { isSame } from './presence.ts'
import { createDepartures } from './presence-leave.ts'
import { createRoom, type Follower, type Room } from './project-channel.ts'

const AGE_MS = 120_000
const HEARTBEAT_MS = 15_000
/** Streams of one share link in one process. */
const GUESTS_MAX = 100
/** Presence reports of all guests of one link in one process: dozens of moving pointers. */
export const GUEST_PRESENCE_LIMIT = { perSecond: 300, burst: 600 }

export interface Following {
  orgId: string
  projectId: string
  /** Whose way in it is; of a guest, whoever made the link. */
  userId: string
  /** The share link of a guest. */
  link: string | null
  who: LiveEvents['left'] | null
  /** Whether they may see it, and the number of its latest change; throws if not. */
  check: () => Promise<number>
  /** Where to begin: the number, and whether what is before it has to be read anew. */
  begin: (present: number) => Promise<{ from: number; isReset: boolean }>
  /** When what lets them in ends, if it does. */
  until: Date | null
}

export type Hub = ReturnType<typeof createHub>

/** Who follows what in this process. One connection listens for all of them, from the first stream on. */
export function createHub(pool: Pool, log: Logger, { ageMs = AGE_MS, now = () => new Date() } = {}) {
  const rooms = new Map<string, Room>()
  const departures = createDepartures(pool, log)
  let listening: Promise<unknown> | undefined
  let hasListened = false
  let isClosed = false
  let heart: NodeJS.Timeout | undefined

  /** Refused once, the driver goes on trying by itself, and says so through `onListening`. */
  const listen = () => (listening ??= pool.listen(LIVE_CHANNEL, hear, onListening))

  /** Whatever was said while nobody listened is found by reading and asking again. */
  function onListening(): void {
    listening = Promise.resolve()
    for (const room of rooms.values()) {
      void room.wake()
      if (hasListened) void room.recheck()
    }
    hasListened = true
  }

  /** Anybody who may use the database can speak there: what none of us said is passed over. */
  function hear(payload: string): void {
    try {
      const heard: (LiveMessage & Place) | ({ kind: 'access'; projectId?: never } & AccessSubject) =
        JSON.parse(payload)
      if (heard.projectId === undefined) endAll(heard)
      else pass(heard)
    } catch (err) {
      log.warn({ err }, 'heard a word that is none of ours')
    }
  }

  function pass({ orgId, projectId, ...word }: LiveMessage & Place): void {
    if (word.kind === 'presence') departures.cancel(projectId, word.presence as LiveEvents['presence'])
    rooms.get(keyOf({ orgId, projectId }))?.hear(word)
  }

  function endAll(whose: AccessSubject): void {
    for (const { place, follower } of everybody()) {
      const isMeant = 'userId' in whose ? follower.userId === whose.userId : place.orgId === whose.orgId
      if (isMeant) follower.reader.end('access')
    }
  }

  /** As a list of its own: ending one changes who is in its room. */
  const everybody = () =>
    [...rooms.values()].flatMap(({ place, followers }) =>
      [...followers].map((follower) => ({ place, follower })),
    )

  function beat(): void {
    for (const { follower } of everybody()) if (!follower.reader.dropIfSlow()) follower.reader.beat()
  }

  /** A link that went further than it was meant to must not take the server from everybody else. */
  function refuseCrowd(place: Place, link: string): void {
    const followers = [...(rooms.get(keyOf(place))?.followers ?? [])]
    if (followers.filter((other) => other.link === link).length < GUESTS_MAX) return
    throw new ApiError('RATE_LIMITED', 'Too many guests have this open: try again later', {
      headers: { 'retry-after': '30' },
    })
  }

  function enter(place: Place, follower: Follower): Room {
    const key = keyOf(place)
    const room = rooms.get(key) ?? createRoom(pool, log, place)
    rooms.set(key, room)
    room.followers.add(follower)
    heart ??= setInterval(beat, HEARTBEAT_MS).unref()
    if (follower.who) departures.cancel(place.projectId, follower.who)
    return room
  }

  function leave(place: Place, follower: Follower): void {
    const key = keyOf(place)
    const room = rooms.get(key)
    if (!room?.followers.delete(follower)) return
    if (room.followers.size === 0) rooms.delete(key)
    if (rooms.size === 0) {
      clearInterval(heart)
      heart = undefined
    }
    const { who } = follower
    if (who && ![...room.followers].some((other) => isSame(other.who, who))) departures.expect(place, who)
  }

  return {
    /** Lets somebody in, and then asks whether they may be: whatever is taken from them in between is heard. */
    async follow({ check, begin, who, until, userId, link, ...place }: Following): Promise<Readable> {
      if (isClosed) throw new ApiError('UNAVAILABLE', 'The server is stopping: connect again')
      await listen()
      if (link) refuseCrowd(place, link)
      const reader = createReader(() => {
        clearTimeout(end)
        leave(place, follower)
      })
      const follower: Follower = { who, userId, link, reader, seq: null, check }
      const end = setTimeout(() => reader.end('age'), lifetime(until)).unref()
      const room = enter(place, follower)
      try {
        const present = await check()
        const { from, isReset } = await begin(present)
        reader.send(eventOf('ready', { seq: present, here: room.here() }, from))
        if (isReset) reader.send(eventOf('reset', { seq: from }))
        void room.catchUp(follower, from).catch((err) => {
          log.warn({ err }, 'could not read the changes of a canvas')
          reader.hangUp()
        })
        return reader.content
      } catch (error) {
        reader.hangUp()
        throw error
      }
    },
    /** Whether the guests of a link may say one more word. */
    mayTell: createLocalRateLimit(GUEST_PRESENCE_LIMIT).tryAcquire,
    /** How many streams are open. */
    size: () => [...rooms.values()].reduce((sum, { followers }) => sum + followers.size, 0),
    async close(): Promise<void> {
      isClosed = true
      for (const { follower } of everybody()) follower.reader.end('closing')
      await departures.close()
    },
  }

  /** Not the same for all, so that those who came together do not come back together. */
  function lifetime(until: Date | null): number {
    const age = ageMs * (0.8 + 0.4 * Math.random())
    return until ? Math.max(0, Math.min(age, until.getTime() - now().getTime())) : age
  }
}

interface Place {
  orgId: string
  projectId: string
}

const keyOf = ({ orgId, projectId }: Place) => `${orgId} ${projectId}`
