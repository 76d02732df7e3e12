import type { machinePayments } from '../../../../contract/billing/machine-payments.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import { notFound, raise } from '../../../errors.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { countWaiting, findPayment, listPayments } from './payment-queries.ts'
import { presentPayment } from './records.ts'
import { timelineOf } from './timeline.ts'

export async function listMachinePayments(
  ctx: Context,
  { limit, cursor, ...query }: InputOf<typeof machinePayments.list>,
) {
  const { orgId } = ctx.caller
  const projectId = query.projectId === undefined ? undefined : (await findProject(ctx, query.projectId)).id
  const filter = { ...query, projectId }
  const name = `machine-payments ${orgId} ${JSON.stringify(filter)}`
  const position = { before: decodeCursor(ctx.vault, name, cursor), limit: limit + 1 }
  const [rows, waitingCount] = await Promise.all([
    listPayments(ctx.sql, orgId, filter, position),
    countWaiting(ctx.sql, orgId),
  ])
  return { ...cursorPage(ctx.vault, name, limit, rows, presentPayment), waitingCount }
}

export async function getMachinePayment(ctx: Context, { id }: InputOf<typeof machinePayments.get>) {
  const row = (await findPayment(ctx.sql, ctx.caller.orgId, id)) ?? raise(notFound('Machine payment'))
  return { ...presentPayment(row), timeline: await timelineOf(ctx.sql, row) }
}
