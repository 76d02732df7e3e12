import type { Logger } from 'pino'
import type { LiveEvents } from '../../../../contract/canvas/live.ts'
import type { Pool } from '../../../database/database.ts'
import { eventOf } from '../../../streams/live-events.ts'
import type { LiveMessage } from '../../../streams/notify.ts'
import type { Reader } from '../../../streams/sse-connection.ts'
import { BATCH, listChanges } from './changes.ts'
import { createWhereabouts, isSame } from './presence.ts'

/** One stream among those that follow a project. */
export interface Follower {
  /** Who reads it, if their client has a name. */
  who: LiveEvents['left'] | null
  /** Whose way in it is; of a guest, whoever made the link. */
  userId: string
  /** The share link of a guest. */
  link: string | null
  reader: Reader
  /** The last change that was sent; null while it catches up by itself. */
  seq: number | null
  /** Throws if whoever reads it may not see the project any more. */
  check: () => Promise<unknown>
}

export type Room = ReturnType<typeof createRoom>

/** Everybody in this process who has one project open. */
export function createRoom(pool: Pool, log: Logger, place: { orgId: string; projectId: string }) {
  const { orgId, projectId } = place
  const followers = new Set<Follower>()
  const whereabouts = createWhereabouts((presence) => tell(eventOf('presence', presence), presence))
  let isReading = false
  let isWoken = false

  /** Reads what is new, once for all of them. Woken while it reads, it reads once more. */
  async function wake(): Promise<void> {
    isWoken = true
    if (isReading) return
    isReading = true
    try {
      while (isWoken) {
        isWoken = false
        if (await readOn()) isWoken = true
      }
    } catch (err) {
      log.warn({ err, projectId }, 'could not read the changes of a canvas for those who follow it')
    } finally {
      isReading = false
    }
  }

  /** Whether there may be more. */
  async function readOn(): Promise<boolean> {
    const after = Math.min(...[...followers].map(({ seq }) => seq ?? Number.POSITIVE_INFINITY))
    if (after === Number.POSITIVE_INFINITY) return false
    const changes = await listChanges(pool, orgId, projectId, after)
    for (const follower of followers) {
      if (follower.seq === null || follower.reader.dropIfSlow()) continue
      for (const { seq, event } of changes) {
        if (seq <= follower.seq) continue
        follower.reader.send(event)
        follower.seq = seq
      }
    }
    return changes.length === BATCH
  }

  /** From there to the present at the reader's own pace; then it is told with the others. */
  async function catchUp(follower: Follower, from: number): Promise<void> {
    let seq = from
    for (;;) {
      const changes = await listChanges(pool, orgId, projectId, seq)
      for (const change of changes) follower.reader.send(change.event)
      seq = changes.at(-1)?.seq ?? seq
      await follower.reader.drained()
      if (!follower.reader.isOpen()) return
      if (changes.length < BATCH) break
    }
    follower.seq = seq
    await wake()
  }

  function tell(event: Buffer, except?: LiveEvents['left']): void {
    for (const { who, reader } of followers) {
      if (except && isSame(who, except)) continue
      if (!reader.dropIfSlow()) reader.send(event)
    }
  }

  function hear(word: LiveMessage): void {
    if (word.kind === 'change') void wake()
    else if (word.kind === 'project') tell(eventOf('project', {}))
    else if (word.kind === 'access') for (const { reader } of followers) reader.end('access')
    else if (word.kind === 'presence') whereabouts.seen(word.presence as LiveEvents['presence'])
    else {
      const who = word.presence as LiveEvents['left']
      whereabouts.gone(who)
      tell(eventOf('left', who), who)
    }
  }

  return {
    place,
    followers,
    here: whereabouts.here,
    hear,
    wake,
    catchUp,
    /** Asks again whether each may see this, when words may have been missed. */
    async recheck(): Promise<void> {
      await Promise.all([...followers].map(({ check, reader }) => check().catch(() => reader.end('access'))))
    },
  }
}
