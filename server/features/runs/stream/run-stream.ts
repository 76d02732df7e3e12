import type { agentRuns } from '../../../../contract/agents/agent-runs.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import type { Pool, Sql } from '../../../database/database.ts'
import { forOrganization } from '../../../database/fair-pool.ts'
import { reply } from '../../../endpoint/route.ts'
import { ApiError, unauthorized } from '../../../errors.ts'
import { formatEvent, HEARTBEAT, SSE_HEADERS } from '../../../streams/sse-format.ts'
import { streamOpenersOf } from '../../../streams/stream-slots.ts'
import type { Streams } from '../../../streams/streams.ts'
import type { Batch } from '../../../streams/topic.ts'
import { isCredentialValid } from '../../accounts/accounts.ts'
import { findAgentRun } from '../api/run-queries.ts'
import { RUN_CHANNEL } from '../engine/lease.ts'
import { readRunEvents } from './read-events.ts'

const topicOf = (orgId: string, runId: string) => `run ${orgId} ${runId}`

/** Follows the events of runs: every process reads the rows, so that it does not matter which one executes the run. */
export function createRunChannel(pool: Pool, streams: Streams) {
  streams.subscribe(RUN_CHANNEL, (payload) => {
    const { orgId, runId } = JSON.parse(payload)
    streams.topic(topicOf(orgId, runId))?.schedule()
  })
  return {
    async follow(ctx: Context, { id, after, byteRequest }: InputOf<typeof agentRuns.stream>) {
      const { orgId, projectId } = await findAgentRun(ctx, id)
      if (byteRequest.headOnly) return reply(null, { bytes: { content: null, headers: SSE_HEADERS } })
      const cursor = parseSeq(byteRequest.lastEventId) ?? after
      const sql = forOrganization(pool, orgId)
      const content = await streams.follow<number>({
        topic: topicOf(orgId, id),
        subscriber: { orgId, userId: ctx.caller.userId, projectId },
        openers: streamOpenersOf(ctx.caller),
        isAllowed: () => isAllowed(ctx, id),
        open: async () => {
          await requireAccess(ctx, id)
          // Sends the headers at once: a run that waits may have no event for hours.
          return { cursor, frames: [HEARTBEAT] }
        },
        read: (from) => readFrames(sql, orgId, id, from),
        seqOf: (seq) => seq,
      })
      return reply(null, { bytes: { content, headers: SSE_HEADERS } })
    },
  }
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

/** The request was authorized before the stream joined its topic; the credential may have been revoked since. */
async function requireAccess(ctx: Context, runId: string): Promise<void> {
  await findAgentRun(ctx, runId)
  if (!(await isCredentialValid(ctx.sql, ctx.caller, ctx.now())))
    throw unauthorized('Your session or API key is no longer valid')
}

async function readFrames(sql: Sql, orgId: string, runId: string, after: number): Promise<Batch<number>> {
  const { events, isMore, isEnd } = await readRunEvents(sql, orgId, runId, after)
  return {
    events: events.map(({ seq, type, data }) => ({ cursor: seq, frame: formatEvent(type, data, seq) })),
    next: events.at(-1)?.seq ?? after,
    isMore,
    isEnd,
  }
}

const parseSeq = (text: string | undefined) =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
