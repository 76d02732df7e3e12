import type { agents } from '../../../../contract/agents/agents.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { firstIdAt } from '../../../database/time-partitions.ts'
import * as queries from './activity-queries.ts'

const DAYS = 14
const DAY_MS = 86_400_000

export async function readActivity(ctx: Context, { agentId }: InputOf<typeof agents.activity>) {
  const to = toDay(ctx.now())
  const from = toDay(new Date(Date.parse(to) - (DAYS - 1) * DAY_MS))
  const since = { from, firstRunId: firstIdAt(new Date(from)) }
  return { from, to, items: await queries.listActivity(ctx.sql, ctx.caller.orgId, agentId ?? null, since) }
}

const toDay = (time: Date) => time.toISOString().slice(0, 10)
