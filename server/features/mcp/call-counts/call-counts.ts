import { z } from 'zod'
import { mcpCalls as contract } from '../../../../contract/mcp/mcp-calls.ts'
import type { Context } from '../../../context.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { type CallCount, deleteCounts, listCounts } from './queries.ts'

export { addCounts } from './queries.ts'

const HOUR_MS = 3_600_000
const SHOWN_HOURS = 24
const STORED_HOURS = 7 * 24

const sweepJob = job('mcp-calls.sweep', z.object({}))

/** Counts the tool calls of MCP clients. */
export const mcpCalls: Feature = {
  routes: [handle(contract.list, listCalls)],
  jobs: [
    onJob(sweepJob, async ({ sql, now }) => {
      await deleteCounts(sql, hoursBefore(now(), STORED_HOURS))
    }),
  ],
  schedules: [{ job: sweepJob, cron: '23 * * * *' }],
}

async function listCalls({ sql, caller, origin, now }: Context) {
  const since = hoursBefore(now(), SHOWN_HOURS - 1)
  const items = await listCounts(sql, caller.orgId, since)
  return { url: `${origin.baseUrl}/mcp`, since: since.toISOString(), items: [...items] }
}

const hoursBefore = (now: Date, hours: number) =>
  new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - hours * HOUR_MS)

const FLUSH_MS = 2000
const CLIENTS_MAX = 10

interface CountedCall {
  orgId: string
  tool: string
  client: string
  failed: boolean
}

/** Writes in one statement, off the call path. Drops a failed write. */
export function createCallCounter(
  write: (counts: CallCount[]) => Promise<unknown>,
  now: () => Date,
  onError: (error: unknown) => void,
) {
  let counts = new Map<string, CallCount>()
  const flush = async () => {
    if (counts.size === 0) return
    const batch = [...counts.values()]
    counts = new Map()
    await write(batch).catch(onError)
  }
  const timer = setInterval(() => void flush(), FLUSH_MS)
  timer.unref()
  return {
    add({ orgId, tool, client, failed }: CountedCall) {
      const key = `${orgId} ${tool}`
      const count = counts.get(key) ?? { orgId, tool, calls: 0, failed: 0, clients: [], lastAt: now() }
      count.calls++
      if (failed) count.failed++
      if (count.clients.length < CLIENTS_MAX && !count.clients.includes(client)) count.clients.push(client)
      count.lastAt = now()
      counts.set(key, count)
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
