import type { InputOf } from '../../../../contract/endpoint.ts'
import type { calls } from '../../../../contract/telephony/calls.ts'
import type { Context } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import { notFound, raise } from '../../../errors.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { presentCall, presentWithTimeline } from './present-call.ts'
import { type CallView, findVisible, listEntries, listCalls as listRows } from './view-queries.ts'

export async function listCalls(
  ctx: Context,
  { limit, cursor, open, projectId, ...filters }: InputOf<typeof calls.list>,
) {
  const { orgId, userId } = ctx.caller
  const project = projectId === undefined ? undefined : (await findProject(ctx, projectId)).id
  const filter = { ...filters, projectId: project, ...(open !== undefined && { isOpen: open === 'true' }) }
  const list = `calls ${orgId} ${userId} ${JSON.stringify(filter)}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await listRows(ctx.sql, ctx.caller, filter, { before, limit: limit + 1 })
  return cursorPage(ctx.vault, list, limit, rows, presentCall)
}

/** The call if the caller sees its project, else NOT_FOUND; with `edit`, FORBIDDEN for callers with view access. */
export async function findCallFor(ctx: Context, id: string, to: 'view' | 'edit' = 'view'): Promise<CallView> {
  const call = (await findVisible(ctx.sql, ctx.caller, id)) ?? raise(notFound('Call'))
  if (to === 'edit') await findProject(ctx, call.projectId, 'edit')
  return call
}

export async function getCall(ctx: Context, { id }: InputOf<typeof calls.get>) {
  const call = await findCallFor(ctx, id)
  return presentWithTimeline(call, await listEntries(ctx.sql, ctx.caller.orgId, id))
}
