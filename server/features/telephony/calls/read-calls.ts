import type { z } from 'zod'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { calls } from '../../../../contract/telephony/calls.ts'
import type { CallStatus } from '../../../../contract/telephony/telephony-options.ts'
import type { Call, CallEntry } from '../../../../contract/telephony/telephony-records.ts'
import type { Caller, Context } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { notFound, raise } from '../../../errors.ts'
import { isProjectVisible, visibleRows } from '../../projects/access/access.ts'
import { findProject } from '../../projects/projects/projects.ts'
import type { CallRow } from './call.ts'
import { callColumns } from './queries.ts'
import { MISSES, type Transfer } from './transfer-states.ts'

export async function listCalls(
  ctx: Context<'vault'>,
  { limit, cursor, open, projectId, ...filters }: InputOf<typeof calls.list>,
) {
  const { orgId, userId } = ctx.caller
  const project = projectId === undefined ? undefined : (await findProject(ctx, projectId)).id
  const filter = { ...filters, projectId: project, ...(open !== undefined && { isOpen: open === 'true' }) }
  const list = `calls ${orgId} ${userId} ${JSON.stringify(filter)}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await listCallRows(ctx.sql, ctx.caller, filter, { before, limit: limit + 1 })
  return cursorPage(ctx.vault, list, limit, rows, presentCall)
}

/** NOT_FOUND if the caller doesn't see the project. With `edit`, FORBIDDEN for view access. */
export async function findCallFor(ctx: Context, id: string, to: 'view' | 'edit' = 'view'): Promise<CallView> {
  const call = (await findVisible(ctx.sql, ctx.caller, id)) ?? raise(notFound('Call'))
  if (to === 'edit') await findProject(ctx, call.projectId, 'edit')
  return call
}

export async function getCall(ctx: Context, { id }: InputOf<typeof calls.get>) {
  const call = await findCallFor(ctx, id)
  return presentWithTimeline(call, await listEntries(ctx.sql, ctx.caller.orgId, id))
}

type CallRecord = z.output<typeof Call>

export const presentCall = (row: CallView): CallRecord => ({
  id: row.id,
  direction: row.direction,
  from: row.from,
  to: row.to,
  numberId: row.numberId,
  projectId: row.projectId,
  provider: row.provider,
  member: row.memberName === null ? null : { id: row.createdBy!, name: row.memberName },
  status: row.status,
  agentId: row.agentId,
  agentName: row.agentName,
  ruleId: row.ruleId,
  sessionId: row.sessionId,
  runId: row.runId,
  startedAt: row.startedAt,
  answeredAt: row.answeredAt,
  endedAt: row.endedAt,
  durationSeconds: row.durationSeconds,
  endReason: row.endReason,
  summary: row.summary,
  recordingFileId: row.recordingFileId,
  transcriptFileId: row.transcriptFileId,
  cost: row.cost === null ? null : { amount: row.cost, currency: 'USD', isEstimate: row.costIsEstimate },
  transfer: presentTransfer(row.transfer),
})

function presentTransfer(transfer: Transfer | null): CallRecord['transfer'] {
  if (transfer === null) return null
  const { state, target, reason, requestedBy, at } = transfer
  return { state, target, reason: reason && MISSES[reason], requestedBy, at }
}

const presentWithTimeline = (row: CallView, timeline: z.output<typeof CallEntry>[]) => ({
  ...presentCall(row),
  timeline,
})

export interface CallView extends CallRow {
  agentName: string | null
  /** Of the member who talks in the browser. */
  memberName: string | null
}

const viewColumns = (sql: Sql): Fragment => sql`
  ${callColumns(sql)}, (
    select a.name from agents a where a.org_id = c.org_id and a.id = c.agent_id) as "agentName",
  case when c.provider = 'browser' then (select u.name from users u where u.id = c.created_by) end as "memberName"`

interface CallFilter {
  direction?: 'inbound' | 'outbound' | undefined
  status?: CallStatus | undefined
  isOpen?: boolean | undefined
  numberId?: string | undefined
  agentId?: string | undefined
  projectId?: string | undefined
  peer?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

/** Newest first. Each filter has an index in this order. */
export const listCallRows = (
  sql: Sql,
  caller: Caller,
  filter: CallFilter,
  { before, limit }: { before: string | null; limit: number },
) => {
  const rows = sql`
    select c.* from calls c where c.org_id = ${caller.orgId} ${matches(sql, filter)}
      ${
        before
          ? sql`and (c.started_at, c.id) < (
        (select b.started_at from calls b where b.org_id = ${caller.orgId} and b.id = ${before}), ${before}::uuid)`
          : sql``
      }`
  const isVisible = isProjectVisible(sql, caller, sql`x.project_id`)
  const { numberId, agentId, projectId, peer } = filter
  const isNarrow = [numberId, agentId, projectId, peer].some((value) => value !== undefined)
  const { order, columns } = orderOf(sql, filter)
  const page = isNarrow
    ? sql`select x.id from (${rows}) x where ${isVisible} ${order} limit ${limit}`
    : visibleRows(sql, caller, { rows, columns, order, unindexed: sql`x.created_by`, isVisible, limit })
  return sql<CallView[]>`
    select ${viewColumns(sql)} from (${page}) x
    cross join lateral (
      select c.* from calls c where c.org_id = ${caller.orgId} and c.id = any(array[x.id]) order by c.id limit 1
    ) c
    order by c.started_at desc, c.id desc`
}

/** `order by` includes the filters. Without statistics, the planner would use an index without them. */
function orderOf(sql: Sql, { status, direction, numberId, agentId, projectId, peer }: CallFilter) {
  const isOfParty = [numberId, agentId, peer].some((value) => value !== undefined) && projectId === undefined
  const partyColumn = numberId ? sql`x.number_id,` : peer ? sql`x.peer,` : sql`x.agent_id,`
  const first = projectId ? sql`x.project_id,` : isOfParty ? partyColumn : sql``
  const state = status ? sql`x.status,` : direction ? sql`x.direction,` : sql``
  const second = isOfParty ? sql`` : state
  return {
    order: sql`order by ${first} ${second} x.started_at desc, x.id desc`,
    columns: sql`${second} x.started_at, x.id`,
  }
}

/** `any` instead of `=`: in `order by`, the planner ignores a column that equals a constant and uses another index. */
const matches = (sql: Sql, filter: CallFilter): Fragment => {
  const { direction, status, isOpen, numberId, agentId, projectId, peer, since, until } = filter
  return sql`
    ${direction ? sql`and c.direction = any(array[${direction}])` : sql``}
    ${status ? sql`and c.status = any(array[${status}])` : sql``}
    ${isOpen === undefined ? sql`` : isOpen ? sql`and c.ended_at is null` : sql`and c.ended_at is not null`}
    ${numberId ? sql`and c.number_id = any(array[${numberId}]::uuid[])` : sql``}
    ${agentId ? sql`and c.agent_id = any(array[${agentId}]::uuid[])` : sql``}
    ${projectId ? sql`and c.project_id = any(array[${projectId}]::uuid[])` : sql``}
    ${peer ? sql`and c.peer = any(array[${peer}])` : sql``}
    ${since ? sql`and c.started_at >= ${since}` : sql``}
    ${until ? sql`and c.started_at < ${until}` : sql``}`
}

async function findVisible(sql: Sql, caller: Caller, id: string): Promise<CallView | null> {
  const [row] = await sql<CallView[]>`
    select ${viewColumns(sql)} from calls c
    where c.org_id = ${caller.orgId} and c.id = ${id} and ${isProjectVisible(sql, caller, sql`c.project_id`)}`
  return row ?? null
}

const listEntries = (sql: Sql, orgId: string, callId: string) => sql<
  { at: string; type: string; detail: string | null }[]
>`
  select at, type, detail from call_entries where org_id = ${orgId} and call_id = ${callId} order by seq`
