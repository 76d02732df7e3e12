import type { z } from 'zod'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { VIEWS_MAX } from '../../../../../contract/projects/list-options.ts'
import type { ProjectView, projectViews } from '../../../../../contract/projects/views.ts'
import type { Caller, Context } from '../../../../context.ts'
import { conflict, forbidden, notFound, raise } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import { requireEditor } from '../../../organizations/membership/membership.ts'
import * as queries from './view-queries.ts'

/** A view gives no access: its reader sees only their visible projects. */
export async function listViews({ sql, caller }: Context) {
  const rows = await queries.listViews(sql, caller.orgId, caller.userId)
  return { items: rows.map((row) => present(row, caller)) }
}

export const createView = (ctx: Context, { name, shared, settings }: InputOf<typeof projectViews.create>) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    if (shared) await requireEditor(inside, 'shared views')
    const id = newId()
    await queries.lockViews(sql, caller.orgId)
    await queries.insertView(sql, caller.orgId, caller.userId, { id, name, shared, settings, now: ctx.now() })
    await requireWithinLimit(inside)
    return read(inside, id)
  })

export const updateView = (ctx: Context, { id, ...change }: InputOf<typeof projectViews.update>) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    await queries.lockViews(sql, caller.orgId)
    const { name, shared, settings } = await findEditable(inside, id)
    if (shared || change.shared) await requireEditor(inside, 'shared views')
    await queries.updateView(sql, caller.orgId, {
      id,
      name: change.name ?? name,
      shared: change.shared ?? shared,
      settings: change.settings ?? settings,
      now: ctx.now(),
    })
    await requireWithinLimit(inside)
    return read(inside, id)
  })

export async function deleteView(ctx: Context, { id }: InputOf<typeof projectViews.remove>) {
  await findEditable(ctx, id)
  await queries.deleteView(ctx.sql, ctx.caller.orgId, id)
  return { deleted: true as const }
}

async function requireWithinLimit({ sql, caller }: Context): Promise<void> {
  const { own, shared } = await queries.countViews(sql, caller.orgId, caller.userId)
  if (own > VIEWS_MAX) throw conflict(`You can have ${VIEWS_MAX} personal views: delete one first`)
  if (shared > VIEWS_MAX)
    throw conflict(`An organization can have ${VIEWS_MAX} shared views: delete one first`)
}

async function find({ sql, caller }: Context, id: string): Promise<queries.ViewRow> {
  return (await queries.findView(sql, caller.orgId, caller.userId, id)) ?? raise(notFound('Project view'))
}

const read = async (ctx: Context, id: string) => present(await find(ctx, id), ctx.caller)

async function findEditable(ctx: Context, id: string): Promise<queries.ViewRow> {
  const view = await find(ctx, id)
  if (canEdit(view, ctx.caller)) return view
  throw forbidden('Only this view’s creator, admins and owners can change it', { reason: 'not_creator' })
}

/** Admins change only shared views from others, as `find` doesn't return the rest. */
const canEdit = (view: queries.ViewRow, { userId, role }: Caller) =>
  view.userId === userId || role !== 'member'

const present = (row: queries.ViewRow, caller: Caller): z.output<typeof ProjectView> => ({
  id: row.id,
  name: row.name,
  shared: row.shared,
  settings: row.settings,
  createdBy: { id: row.userId, name: row.creator },
  canEdit: canEdit(row, caller),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})
