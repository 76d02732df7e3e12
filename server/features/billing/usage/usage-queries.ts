import type { UsageGroup } from '../../../../contract/billing/budget-options.ts'
import type { Caller, Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { badField } from '../../../errors.ts'
import { isProjectVisible } from '../../projects/access/access.ts'

export interface UsageFilter {
  from: string
  to: string
  projectId?: string | undefined
  agentId?: string | undefined
  model?: string | undefined
  userId?: string | undefined
  keyId?: string | undefined
}

const DAY_MS = 86_400_000
const DAYS_DEFAULT = 30
const DAYS_MAX = 366

/** Members see only their own usage. */
export function toUsageFilter(
  { caller, now }: Pick<Context, 'caller' | 'now'>,
  input: Partial<UsageFilter>,
): UsageFilter & { isOwn: boolean } {
  const to = input.to ?? dayOf(now())
  const from = input.from ?? dayOf(new Date(Date.parse(to) - (DAYS_DEFAULT - 1) * DAY_MS))
  if (from > to) throw badField('query.from', 'must not be after `to`')
  if ((Date.parse(to) - Date.parse(from)) / DAY_MS >= DAYS_MAX)
    throw badField('query.from', `must be at most ${DAYS_MAX} days before the range ends`)
  const isOwn = caller.role === 'member'
  const { projectId, agentId, model, keyId } = input
  const userId = isOwn ? caller.userId : input.userId
  return { from, to, projectId, agentId, model, keyId, userId, isOwn }
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10)

const COLUMNS = {
  day: 'day',
  project: 'project_id',
  agent: 'agent_id',
  model: 'model',
  user: 'user_id',
  key: 'key_id',
} as const

/** For the row `u`, without its time. */
const matches = (sql: Sql, orgId: string, filter: UsageFilter): Fragment => sql`u.org_id = ${orgId}
  ${filter.userId ? sql`and u.user_id = ${filter.userId}` : sql``}
  ${filter.projectId ? sql`and u.project_id = ${filter.projectId}` : sql``}
  ${filter.agentId ? sql`and u.agent_id = ${filter.agentId}` : sql``}
  ${filter.model ? sql`and u.model = ${filter.model}` : sql``}
  ${filter.keyId ? sql`and u.key_id = ${filter.keyId}` : sql``}`

export interface GroupRow {
  day: string
  key: string | null
  calls: number
  unpriced: number
  tokensIn: number
  tokensOut: number
  cacheRead: number
  cacheWrite: number
  cost: string
}

export const listGroups = (sql: Sql, orgId: string, filter: UsageFilter, groupBy: UsageGroup) => sql<
  GroupRow[]
>`
  select u.day::text as day, ${sql(`u.${COLUMNS[groupBy]}`)}::text as key, sum(u.calls)::bigint as calls,
    sum(u.unpriced)::bigint as unpriced, sum(u.tokens_in)::bigint as "tokensIn", sum(u.tokens_out)::bigint as "tokensOut",
    sum(u.tokens_cache_read)::bigint as "cacheRead", sum(u.tokens_cache_write)::bigint as "cacheWrite",
    sum(u.cost) as cost
  from usage_days u
  where ${matches(sql, orgId, filter)} and u.day between ${filter.from} and ${filter.to}
  group by 1, 2 order by 1`

export async function listNames(
  sql: Sql,
  caller: Caller,
  groupBy: UsageGroup,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (groupBy === 'day' || groupBy === 'model') return new Map(ids.map((id) => [id, id]))
  const { orgId } = caller
  const list = sql`any(${[...ids]}::uuid[])`
  const rows = await {
    project: () => sql<NameRow[]>`
      select named.id, named.name from projects named
      where named.org_id = ${orgId} and named.id = ${list} and ${isProjectVisible(sql, caller, sql`named.id`)}`,
    agent: () => sql<NameRow[]>`select id, name from agents where org_id = ${orgId} and id = ${list}`,
    user: () => sql<NameRow[]>`select id, name from users where id = ${list}`,
    key: () => sql<NameRow[]>`
      select id, name from api_keys where org_id = ${orgId} and id = ${list}
      union all select id, client_name from app_grants where org_id = ${orgId} and id = ${list}`,
  }[groupBy]()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

interface NameRow {
  id: string
  name: string
}

export interface LedgerRow {
  id: string
  at: string
  kind: string
  projectId: string | null
  agentId: string | null
  userId: string | null
  keyId: string | null
  runId: string | null
  step: number
  attempt: number
  model: string
  quantity: { input?: number; output?: number; cacheRead?: number; cacheWrite?: number } | null
  unitCost: { input?: number; output?: number; cacheRead?: number | null; cacheWrite?: number | null } | null
  cost: string | null
  priceSource: string
}

/** Oldest first. */
export const listLedger = (
  sql: Sql,
  orgId: string,
  filter: UsageFilter,
  after: Pick<LedgerRow, 'at' | 'id'> | null,
  limit: number,
) => sql<LedgerRow[]>`
  select u.id, u.at, u.kind, u.project_id as "projectId", u.agent_id as "agentId", u.user_id as "userId",
    u.key_id as "keyId", u.run_id as "runId", u.step, u.attempt, u.model, u.quantity, u.unit_cost as "unitCost", u.cost,
    u.price_source as "priceSource"
  from usage u
  where ${matches(sql, orgId, filter)} and u.at >= ${filter.from}::date and u.at < ${filter.to}::date + 1
    and (u.at, u.id) > (${after?.at ?? filter.from}::timestamptz, ${after?.id ?? '00000000-0000-0000-0000-000000000000'}::uuid)
  order by u.at, u.id limit ${limit}`
