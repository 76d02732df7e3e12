import { z } from 'zod'
import { mcpCalls as contract } from '../../../../contract/mcp/mcp-calls.ts'
import type { Context } from '../../../context.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { deleteCounts, listCounts } from './queries.ts'

export { createCallCounter } from './counter.ts'
export { addCounts } from './queries.ts'

const HOUR_MS = 3_600_000
const SHOWN_HOURS = 24
const STORED_HOURS = 7 * 24

const sweepJob = job('mcp-calls.sweep', z.object({}))

/** How often clients called the tools of the MCP server. */
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

/** The beginning of the hour that was this many hours ago. */
const hoursBefore = (now: Date, hours: number) =>
  new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - hours * HOUR_MS)
