import type { Readable } from 'node:stream'
import type { LiveEvents } from '../../../../../contract/canvas/live.ts'
import { createLocalRateLimit } from '../../../../concurrency/local-rate-limit.ts'
import type { Pool, Sql } from '../../../../database/database.ts'
import { forOrganization } from '../../../../database/fair-pool.ts'
import { type LiveMessage, PROJECT_CHANNEL } from '../../../../streams/notify.ts'
import { formatEvent } from '../../../../streams/sse-connection.ts'
import type { StreamOpener } from '../../../../streams/stream-slots.ts'
import type { Streams } from '../../../../streams/streams.ts'
import type { Batch } from '../../../../streams/topic.ts'
import {
  type ClientRef,
  createPresence,
  createPresenceLeave,
  type Presence,
  type ProjectRef,
  presenceKey,
} from './presence.ts'

/** Per share link and process: dozens of moving pointers. */
export const GUEST_PRESENCE_LIMIT = { perSecond: 300, burst: 600 }

export interface ProjectSubscription extends ProjectRef {
  /** For a guest, the share link's creator. */
  userId: string
  openers: StreamOpener[]
  /** Null if the client reports no presence. */
  client: ClientRef | null
  seesComments: boolean
  isAllowed: () => Promise<boolean>
  /** Returns the latest change, where to continue, and whether the client must reload. Throws if not allowed. */
  start: () => Promise<{ seq: number; from: number; isReset: boolean }>
  expiresAt: Date | null
}

export type ProjectChannel = ReturnType<typeof createProjectChannel>

export function createProjectChannel(streams: Streams, pool: Pool) {
  const presences = new Map<string, Presence>()
  const leaves = createPresenceLeave(pool)
  const guestPresence = createLocalRateLimit(GUEST_PRESENCE_LIMIT)
  streams.subscribe(PROJECT_CHANNEL, (payload) => onMessage(JSON.parse(payload)))

  function onMessage({ orgId, projectId, ...message }: LiveMessage & ProjectRef): void {
    if (message.kind === 'presence') leaves.cancel(projectId, message.presence as LiveEvents['presence'])
    const name = topicOf({ orgId, projectId })
    const topic = streams.topic(name)
    if (!topic) return
    if (message.kind === 'change') topic.schedule()
    else if (message.kind === 'project') topic.broadcast(formatLiveEvent('project', {}))
    else if (message.kind === 'table')
      topic.broadcast(formatLiveEvent('table', { tableId: message.tableId, seq: message.seq }))
    else if (message.kind === 'comments') {
      const frame = formatLiveEvent('comments', { target: message.target })
      topic.broadcast(frame, undefined, ({ seesComments }) => seesComments !== false)
    } else if (message.kind === 'presence')
      presenceOf(name).update(message.presence as LiveEvents['presence'])
    else if (message.kind === 'left') {
      const client = message.presence as LiveEvents['left']
      presenceOf(name).remove(client)
      topic.broadcast(formatLiveEvent('left', client), presenceKey(client))
    }
  }

  function presenceOf(topic: string): Presence {
    const presence =
      presences.get(topic) ??
      createPresence((reported) =>
        streams.topic(topic)?.broadcast(formatLiveEvent('presence', reported), presenceKey(reported)),
      )
    presences.set(topic, presence)
    return presence
  }

  function onClose({ client, ...project }: ProjectSubscription): void {
    const name = topicOf(project)
    const topic = streams.topic(name)
    if (!topic) presences.delete(name)
    if (client && !topic?.hasClient(presenceKey(client))) leaves.schedule(project, client)
  }

  return {
    follow(subscription: ProjectSubscription): Promise<Readable> {
      const { orgId, projectId, userId, seesComments, client, openers, isAllowed, expiresAt } = subscription
      const topic = topicOf(subscription)
      return streams.follow<number>({
        topic,
        subscriber: { orgId, projectId, userId, seesComments },
        isAllowed,
        clientKey: client && presenceKey(client),
        openers,
        expiresAt,
        async open() {
          if (client) leaves.cancel(projectId, client)
          const { seq, from, isReset } = await subscription.start()
          const ready = formatLiveEvent('ready', { seq, here: presences.get(topic)?.list() ?? [] }, from)
          return {
            cursor: from,
            frames: isReset ? [ready, formatLiveEvent('reset', { seq: from })] : [ready],
          }
        },
        read: (after) => readChanges(forOrganization(pool, orgId), orgId, projectId, after),
        seqOf: (seq) => seq,
        onClose: () => onClose(subscription),
      })
    },
    tryReportAsGuest: (shareLinkId: string) => guestPresence.tryAcquire(shareLinkId),
    close: () => leaves.flush(),
  }
}

const topicOf = ({ orgId, projectId }: ProjectRef) => `project ${orgId} ${projectId}`

/** One change may be 100 KB. */
const BATCH_MAX = 200

const formatLiveEvent = <N extends keyof LiveEvents>(name: N, data: LiveEvents[N], id?: number): Buffer =>
  formatEvent(name, data, id)

async function readChanges(
  sql: Sql,
  orgId: string,
  projectId: string,
  after: number,
): Promise<Batch<number>> {
  const rows = await sql<LiveEvents['change'][]>`
    select c.seq, c.entity, c.item_id as "itemId", c.action, c.before, c.after,
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as by,
      c.run_id as "runId", c.created_at as "createdAt"
    from canvas_changes c left join users u on u.id = c.user_id
    where c.org_id = ${orgId} and c.project_id = ${projectId} and c.seq > ${after}
    order by c.seq limit ${BATCH_MAX}`
  return {
    events: rows.map((row) => ({ cursor: row.seq, frame: formatLiveEvent('change', row, row.seq) })),
    next: rows.at(-1)?.seq ?? after,
    hasMore: rows.length === BATCH_MAX,
  }
}
