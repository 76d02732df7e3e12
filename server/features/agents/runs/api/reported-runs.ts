import type { z } from 'zod'
import type { Run, runs } from '../../../../../contract/canvas/runs.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { cursorPage, decodeCursor } from '../../../../database/cursor.ts'
import { conflict, notFound, raise } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import { notifyProject } from '../../../../streams/notify.ts'
import {
  findProject,
  lockProject,
  type ProjectRow,
  publishProjectEvent,
} from '../../../projects/projects/projects.ts'
import * as queries from '../queries.ts'
import { RUN_EVENTS } from '../state/publish.ts'

/** No run may start while another is being reverted. */
export const startRun = (ctx: Context, { projectId, title = null, status }: InputOf<typeof runs.start>) =>
  ctx.transaction(async (inside) => {
    const project = await lockProject(inside, projectId)
    const run = { id: newId(), title, status, createdBy: ctx.caller.userId, now: ctx.now() }
    const row = await queries.insertRun(inside.sql, project.orgId, project.id, run)
    await publishRun(inside, project, row)
    return present(row)
  })

/** Locks the project, so that no canvas write commits after the run's end. */
export const updateRun = (
  ctx: Context,
  { projectId, runId, status, error, cost }: InputOf<typeof runs.update>,
) =>
  ctx.transaction(async (inside) => {
    const project = await lockProject(inside, projectId)
    const { orgId, id } = project
    const run = (await queries.findRun(inside.sql, orgId, id, runId)) ?? raise(notFound('Run'))
    if (run.agentId !== null)
      throw conflict('The server executes this run: cancel it with POST /api/v1/runs/:id/cancel')
    const end = ENDED[run.status]
    if (end) throw conflict(`This run has ended: it ${end}`)
    const change = { runId, status, error, cost, now: ctx.now() }
    const row = await queries.updateRun(inside.sql, orgId, id, change)
    if (row.cost !== run.cost) notifyProject(inside.sql, orgId, id, { kind: 'project' })
    if (row.status !== run.status) await publishRun(inside, project, row)
    return present(row)
  })

const publishRun = (ctx: Context, project: ProjectRow, { id, status }: queries.RunRow) =>
  publishProjectEvent(ctx, RUN_EVENTS[status], project, { runId: id, status })

const ENDED: Partial<Record<queries.RunRow['status'], string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'was canceled',
}

export async function getRun(ctx: Context, { projectId, runId }: InputOf<typeof runs.get>) {
  const { orgId, id } = await findProject(ctx, projectId)
  return present((await queries.findRun(ctx.sql, orgId, id, runId)) ?? raise(notFound('Run')))
}

export async function listRuns(
  ctx: Context<'vault'>,
  { projectId, status, limit, cursor }: InputOf<typeof runs.list>,
) {
  const { orgId, id } = await findProject(ctx, projectId)
  const name = `runs ${orgId} ${id} ${status ?? 'all'}`
  const before = decodeCursor(ctx.vault, name, cursor)
  const rows = await queries.listRuns(ctx.sql, orgId, id, { status, before, limit: limit + 1 })
  return cursorPage(ctx.vault, name, limit, rows, present)
}

const present = (row: queries.RunRow): z.output<typeof Run> => ({
  id: row.id,
  projectId: row.projectId,
  title: row.title,
  status: row.status,
  error: row.error,
  cost: { amount: row.cost, currency: 'USD' },
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  startedAt: row.startedAt,
  finishedAt: row.finishedAt,
  restoredAt: row.restoredAt,
})
