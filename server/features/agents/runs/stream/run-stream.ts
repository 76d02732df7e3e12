import type { Readable } from 'node:stream'
import type { agentRuns } from '../../../../../contract/agents/agent-runs.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import type { Pool } from '../../../../database/database.ts'
import { forOrganization } from '../../../../database/fair-pool.ts'
import { reply } from '../../../../endpoint/route.ts'
import { ApiError, unauthorized } from '../../../../errors.ts'
import { formatEvent, HEARTBEAT, SSE_HEADERS } from '../../../../streams/sse-connection.ts'
import { streamOpeners } from '../../../../streams/stream-slots.ts'
import type { Streams } from '../../../../streams/streams.ts'
import type { Batch } from '../../../../streams/topic.ts'
import { isCredentialValid } from '../../../accounts/accounts/accounts.ts'
import { findAgentRun, type RunView } from '../api/run-queries.ts'
import { RUN_CHANNEL } from '../state/lease.ts'
import { type EventPage, readRunEvents } from './read-events.ts'
import { createRunListeners } from './run-listeners.ts'
import { formatUiEnd, formatUiPage, UI_AGE_MS, UI_HEADERS, type UiCursor, uiStart } from './ui-format.ts'

const topicOf = (format: 'events' | 'ui', orgId: string, runId: string) => `run ${format} ${orgId} ${runId}`

export type RunChannel = ReturnType<typeof createRunChannel>

/** Every process reads the rows, so it doesn't matter which one executes the run. */
export function createRunChannel(pool: Pool, streams: Streams) {
  const listeners = createRunListeners(pool)
  streams.subscribe(RUN_CHANNEL, (payload) => {
    const { orgId, runId, sessionId } = JSON.parse(payload)
    listeners.notify(orgId, runId, sessionId)
    for (const format of ['events', 'ui'] as const) streams.topic(topicOf(format, orgId, runId))?.schedule()
  })

  const readerOf = ({ orgId, id }: RunView) => {
    const sql = forOrganization(pool, orgId)
    return (after: number) => readRunEvents(sql, orgId, id, after)
  }
  const commonOptionsOf = (ctx: Context, { orgId, id, projectId }: RunView) => ({
    subscriber: { orgId, userId: ctx.caller.userId, projectId },
    openers: streamOpeners(ctx.caller),
    isAllowed: () => isAllowed(ctx, id),
  })

  function followEvents(ctx: Context, run: RunView, after: number): Promise<Readable> {
    const read = readerOf(run)
    return streams.follow<number>({
      ...commonOptionsOf(ctx, run),
      topic: topicOf('events', run.orgId, run.id),
      open: async () => {
        await requireAccess(ctx, run.id)
        // A waiting run may have no event for hours.
        return { cursor: after, frames: [HEARTBEAT] }
      },
      read: async (from) => formatPage(from, await read(from)),
      seqOf: (seq) => seq,
    })
  }

  function followUi(ctx: Context, run: RunView, after: number): Promise<Readable> {
    const read = readerOf(run)
    return streams.follow<UiCursor>({
      ...commonOptionsOf(ctx, run),
      topic: topicOf('ui', run.orgId, run.id),
      open: async () => {
        await requireAccess(ctx, run.id)
        return { cursor: await uiCursorAt(uiStart(run.id), after, read), frames: [HEARTBEAT] }
      },
      read: async (cursor) => formatUiPage(cursor, await read(cursor.seq)),
      seqOf: ({ seq }) => seq,
      endFrameOf: formatUiEnd,
      ageMs: UI_AGE_MS,
    })
  }

  return {
    async follow(ctx: Context, { id, after, format, byteRequest }: InputOf<typeof agentRuns.stream>) {
      const run = await findAgentRun(ctx, id)
      const isUi = format === 'ui'
      const headers = isUi ? UI_HEADERS : SSE_HEADERS
      if (byteRequest.headOnly) return reply(null, { bytes: { content: null, headers } })
      const from = parseSeq(byteRequest.lastEventId) ?? after
      const content = isUi ? await followUi(ctx, run, from) : await followEvents(ctx, run, from)
      return reply(null, { bytes: { content, headers } })
    },
    followUi: async (ctx: Context, id: string) => followUi(ctx, await findAgentRun(ctx, id), 0),
    /** For server code, which checks access itself. */
    async listeners() {
      await streams.listen()
      return listeners
    },
  }
}

const formatPage = (after: number, { events, hasMore, isEnd }: EventPage): Batch<number> => ({
  events: events.map(({ seq, type, data }) => ({ cursor: seq, frame: formatEvent(type, data, seq) })),
  next: events.at(-1)?.seq ?? after,
  hasMore,
  isEnd,
})

/** Chunks depend on all earlier events. */
async function uiCursorAt(
  start: UiCursor,
  after: number,
  read: (from: number) => Promise<EventPage>,
): Promise<UiCursor> {
  let cursor = start
  for (let hasMore = after > 0; hasMore; ) {
    const page = await read(cursor.seq)
    const events = page.events.filter(({ seq }) => seq <= after)
    cursor = formatUiPage(cursor, { ...page, events }).next
    hasMore = page.hasMore && cursor.seq < after
  }
  return cursor
}

async function isAllowed(ctx: Context, runId: string): Promise<boolean> {
  try {
    await requireAccess(ctx, runId)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** The credential may have been revoked since the request was authorized. */
async function requireAccess(ctx: Context, runId: string): Promise<void> {
  await findAgentRun(ctx, runId)
  if (!(await isCredentialValid(ctx.sql, ctx.caller, ctx.now())))
    throw unauthorized('Your session or API key is no longer valid')
}

const parseSeq = (text: string | undefined) =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
