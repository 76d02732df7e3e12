import type { ByteRequest, InputOf } from '../../../../contract/endpoint.ts'
import type { webhooks } from '../../../../contract/webhooks/webhooks.ts'
import { createBatch, createSharedRead } from '../../../concurrency/single-flight.ts'
import type { Caller, Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { reply } from '../../../endpoint/route.ts'
import { conflict } from '../../../errors.ts'
import { EVENTS_CHANNEL } from '../../../events/publish.ts'
import { formatEvent, SSE_HEADERS } from '../../../streams/sse-connection.ts'
import { streamOpeners } from '../../../streams/stream-slots.ts'
import type { Streams } from '../../../streams/streams.ts'
import type { Batch } from '../../../streams/topic.ts'
import { areCredentialsValid } from '../../accounts/accounts/accounts.ts'
import { signDelivery } from '../deliver/deliver.ts'
import { requireWebhook } from '../manage.ts'
import {
  BATCH_MAX,
  decodeLogCursor,
  encodeLogCursor,
  findCommittedSnapshot,
  isWebhookEnabled,
  type LogCursor,
  type LogRange,
  listForwardedEvents,
  listLoggedEvents,
  RESUMABLE_MS,
} from './follow-queries.ts'
import { presentFor } from './log.ts'

export async function followEvents(
  stream: EventStream,
  ctx: Context<'vault'>,
  input: InputOf<typeof webhooks.tail>,
) {
  const { webhookId, byteRequest } = input
  const { orgId, role } = ctx.caller
  if (webhookId !== undefined) await requireWebhook(ctx, webhookId)
  return stream(ctx, byteRequest, {
    key: JSON.stringify(['log', webhookId, role]),
    isAllowed: async () => true,
    list: async (range) =>
      (await listLoggedEvents(ctx.sql, orgId, webhookId ?? null, range)).map((row) => ({
        id: row.id,
        recordedIn: row.recordedIn,
        format: (cursor) => formatEvent('event', presentFor(ctx.caller, row), cursor),
      })),
  })
}

/** For a program on the caller's machine. */
export async function listen(
  stream: EventStream,
  ctx: Context<'vault'>,
  { id, byteRequest }: InputOf<typeof webhooks.listen>,
) {
  const { orgId } = ctx.caller
  const { status } = await requireWebhook(ctx, id)
  if (status === 'disabled') throw conflict('This webhook is disabled: enable it first')
  return stream(ctx, byteRequest, {
    key: JSON.stringify(['listen', id]),
    isAllowed: () => isWebhookEnabled(ctx.sql, orgId, id),
    list: async (range) =>
      (await listForwardedEvents(ctx.sql, orgId, id, range)).map((row) => ({
        id: row.id,
        recordedIn: row.recordedIn,
        format: (cursor) =>
          formatEvent('delivery', { type: row.event.type, ...signDelivery(ctx, row) }, cursor),
      })),
  })
}

interface LoggedEvent {
  id: string
  recordedIn: string
  format: (cursor: string) => Buffer
}

interface EventSource {
  /** An organization's streams with the same key share each read. */
  key: string
  isAllowed: () => Promise<boolean>
  list: (range: LogRange) => Promise<LoggedEvent[]>
}

interface CredentialCheck {
  caller: Caller
  sql: Sql
  now: Date
}

export type EventStream = ReturnType<typeof createEventStream>

/**
 * Caught-up streams read together, so a new event costs a few statements regardless of their number. A topic per
 * organization: a shared one would wait for one organization's connections.
 */
export function createEventStream(streams: Streams) {
  const share = createSharedRead()
  const isCredentialValid = createBatch(
    (checks: CredentialCheck[]) => {
      const [{ sql, now }] = checks as [CredentialCheck]
      return areCredentialsValid(
        sql,
        checks.map(({ caller }) => caller),
        now,
      )
    },
    ({ caller }) => caller.orgId,
  )
  streams.subscribe(EVENTS_CHANNEL, (orgId) => streams.topic(topicOf(orgId))?.schedule())

  return async (ctx: Context<'vault'>, { headOnly, lastEventId }: ByteRequest, source: EventSource) => {
    if (headOnly) return reply(null, { bytes: { content: null, headers: SSE_HEADERS } })
    const { sql, vault, caller, now } = ctx
    const { orgId, userId } = caller
    const encode = (cursor: LogCursor) => encodeLogCursor(vault, orgId, cursor, now())
    const content = await streams.follow<LogCursor>({
      topic: topicOf(orgId),
      subscriber: { orgId, userId, projectId: null },
      openers: streamOpeners(caller),
      isAllowed: async () => {
        const checks = await Promise.all([
          isCredentialValid({ caller, sql, now: now() }),
          share(`allowed ${orgId} ${source.key}`, source.isAllowed),
        ])
        return !checks.includes(false)
      },
      async open() {
        const resumed = decodeLogCursor(vault, orgId, lastEventId, now())
        const cursor = resumed ?? { seen: await findCommittedSnapshot(sql), upTo: null, after: null }
        return { cursor, frames: [formatEvent('ready', {}, encode(cursor))] }
      },
      read: async (cursor) => {
        const upTo = cursor.upTo ?? (await share(`snapshot ${orgId}`, () => findCommittedSnapshot(sql)))
        const key = JSON.stringify(['read', orgId, source.key, cursor, upTo])
        return share(key, () => readLog(ctx, source, { ...cursor, upTo }, cursor.upTo !== null, encode))
      },
    })
    return reply(null, { bytes: { content, headers: SSE_HEADERS } })
  }
}

async function readLog(
  { now }: Context,
  { list }: EventSource,
  { seen, after, upTo }: LogCursor & { upTo: string },
  isResumed: boolean,
  encode: (cursor: LogCursor) => string,
): Promise<Batch<LogCursor>> {
  const since = new Date(now().getTime() - RESUMABLE_MS)
  const events = (await list({ seen, upTo, after, since })).map(({ recordedIn, id, format }) => {
    const at = { seen, upTo, after: { recordedIn, id } }
    return { cursor: at, frame: format(encode(at)) }
  })
  const isFull = events.length === BATCH_MAX
  return {
    events,
    next: isFull ? events.at(-1)!.cursor : { seen: upTo, upTo: null, after: null },
    // A resumed cursor first reads up to its own snapshot, then up to the present.
    hasMore: isFull || isResumed,
  }
}

const topicOf = (orgId: string) => `events ${orgId}`
