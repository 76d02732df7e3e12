import type { InputOf } from '../../../../contract/endpoint.ts'
import type { sms } from '../../../../contract/telephony/sms.ts'
import type { Caller, Context } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import type { Sql } from '../../../database/database.ts'
import { notFound, raise } from '../../../errors.ts'
import { isProjectVisible, visibleRows } from '../../projects/access/access.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { presentSms, type SmsRow, smsColumns } from './message-queries.ts'

export async function readMessages(
  ctx: Context<'vault'>,
  { limit, cursor, projectId, ...filter }: InputOf<typeof sms.list>,
) {
  const { orgId, userId } = ctx.caller
  const project = projectId === undefined ? undefined : (await findProject(ctx, projectId)).id
  const filters = { ...filter, projectId: project }
  const list = `sms ${orgId} ${userId} ${JSON.stringify(filters)}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await listSms(ctx.sql, ctx.caller, filters, { before, limit: limit + 1 })
  return cursorPage(ctx.vault, list, limit, rows, presentSms)
}

export const readMessage = async (ctx: Context, { id }: { id: string }) =>
  presentSms((await findSms(ctx.sql, ctx.caller, id)) ?? raise(notFound('Text message')))

interface SmsFilter {
  numberId?: string
  peer?: string
  direction?: string
  status?: string
  projectId?: string
}

/** Newest first. Each filter has an index in this order. */
const listSms = (
  sql: Sql,
  caller: Caller,
  { numberId, peer, direction, status, projectId }: SmsFilter,
  { before, limit }: { before: string | null; limit: number },
) => {
  const rows = sql`
    select m.* from sms_messages m
    where m.org_id = ${caller.orgId}
      ${numberId ? sql`and m.number_id = ${numberId}` : sql``}
      ${peer ? sql`and m.peer = ${peer}` : sql``}
      ${direction ? sql`and m.direction = any(array[${direction}])` : sql``}
      ${status ? sql`and m.status = any(array[${status}])` : sql``}
      ${projectId ? sql`and m.project_id = any(array[${projectId}]::uuid[])` : sql``}
      ${before ? sql`and m.id < ${before}` : sql``}`
  // `order by` includes the filters. Without statistics, the planner would use an index on only one.
  const order = sql`order by ${projectId ? sql`x.project_id desc,` : sql``} ${
    status ? sql`x.status desc,` : direction ? sql`x.direction desc,` : sql``
  } x.id desc`
  const columns = status ? sql`x.status, x.id` : direction ? sql`x.direction, x.id` : sql`x.id`
  const isVisible = isProjectVisible(sql, caller, sql`x.project_id`)
  // A number has one project, and a peer few numbers.
  const isNarrow = [numberId, peer, projectId].some((value) => value !== undefined)
  const page = isNarrow
    ? sql`select x.id from (${rows}) x where ${isVisible} ${order} limit ${limit}`
    : visibleRows(sql, caller, { rows, columns, order, unindexed: sql`x.created_by`, isVisible, limit })
  return sql<SmsRow[]>`
    select ${smsColumns(sql)} from (${page}) x
    cross join lateral (
      select m.* from sms_messages m where m.org_id = ${caller.orgId} and m.id = any(array[x.id]) order by m.id limit 1
    ) m
    order by m.id desc`
}

async function findSms(sql: Sql, caller: Caller, id: string): Promise<SmsRow | null> {
  const [row] = await sql<SmsRow[]>`
    select ${smsColumns(sql)} from sms_messages m
    where m.org_id = ${caller.orgId} and m.id = ${id} and ${isProjectVisible(sql, caller, sql`m.project_id`)}`
  return row ?? null
}
