import { z } from 'zod'
import { recordAudit } from '../../../audit/record.ts'
import type { Caller, Capability, Context, JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { badRequest, forbidden } from '../../../errors.ts'
import { publishIn } from '../../../events/publish.ts'
import { emptyProject } from '../../../feature.ts'
import { job } from '../../../jobs/job.ts'
import { publishProjectEvent } from './events.ts'
import { lockIncludingDeleted } from './find.ts'
import { auditName, type ProjectRow } from './records.ts'

/** A job deletes the content in batches. */
export const purge = (ctx: Context, ref: string): Promise<void> =>
  ctx.transaction(async (inside) => {
    const row = await lockIncludingDeleted(inside, ref)
    if (row.deletedAt === null)
      throw badRequest('Only deleted projects can be purged: delete this project first')
    requirePurger(ctx.caller, row)
    const { orgId, id } = row
    await updatePurged(inside.sql, orgId, id, ctx.now())
    await recordAudit(inside, {
      action: 'project.purged',
      by: ctx.caller,
      target: id,
      details: auditName(row),
    })
    await publishProjectEvent(inside, 'project.purged', { id })
    await inside.enqueue(emptyPurged, {})
  })

/** Purging can't be undone, so members purge only their own projects. */
function requirePurger({ userId, role }: Caller, project: ProjectRow): void {
  if (role !== 'member' || project.userId === userId) return
  throw forbidden('Only this project’s creator, admins and owners can purge it', {
    reason: 'not_creator',
  })
}

const PROJECTS_PER_BATCH = 20
/** Keeps locks short for projects of any size. */
const ROWS_PER_BATCH = 1000

/** Also purges projects after their time in the trash. */
export const emptyPurged = job('projects.empty-purged', z.object({}), { lane: 'bulk' })

export async function emptyPurgedProjects(ctx: JobContext<Capability>): Promise<void> {
  while ((await purgeExpired(ctx)) === PROJECTS_PER_BATCH);
  const failures: unknown[] = []
  for (const project of await listToEmpty(ctx.sql, PROJECTS_PER_BATCH * 10))
    await emptyOne(ctx, project).catch((error) => failures.push(error))
  // One failure doesn't stop the others. The job is retried for it.
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} projects could not be emptied`)
}

const purgeExpired = (ctx: JobContext): Promise<number> =>
  ctx.transaction(async (inside) => {
    const now = ctx.now()
    const expired = await lockExpired(inside.sql, now, PROJECTS_PER_BATCH)
    for (const project of expired) {
      const { orgId, id, userId } = project
      await updatePurged(inside.sql, orgId, id, now)
      const by = { orgId, userId, via: 'system' as const }
      await recordAudit(inside, { action: 'project.purged', by, target: id, details: auditName(project) })
      await publishIn(inside.sql, orgId, now, { type: 'project.purged', data: { projectId: id, by: null } })
    }
    return expired.length
  })

async function emptyOne(ctx: JobContext<Capability>, project: PurgedProject) {
  for (const empty of ctx.hooks.all(emptyProject))
    while ((await ctx.transaction((inside) => empty(inside, project, ROWS_PER_BATCH))) > 0);
  await updateEmptied(ctx.sql, project.orgId, project.id, ctx.now())
}

interface PurgedProject {
  orgId: string
  id: string
}

/** Shown where the purged project's runs and cost are listed. */
const PURGED_NAME = 'Deleted project'

const updatePurged = (sql: Sql, orgId: string, id: string, now: Date) => sql`
  update projects set purged_at = ${now}, name = ${PURGED_NAME}, slug = 'purged-' || id, search_key = '', sort_key = '', description = null,
    prompt = null, emoji = null, tags = '{}', metadata = '{}', canvas_bytes = 0, block_count = 0, edge_count = 0,
    history_bytes = 0, version = version + 1, updated_at = ${now}
  where org_id = ${orgId} and id = ${id}`

interface ExpiredProject extends PurgedProject {
  userId: string
  name: string
  visibility: 'team' | 'private'
}

const lockExpired = (sql: Sql, now: Date, limit: number) => sql<ExpiredProject[]>`
  select org_id as "orgId", id, user_id as "userId", name, visibility from projects
  where purge_at <= ${now} and purged_at is null
  order by purge_at limit ${limit} for no key update skip locked`

const listToEmpty = (sql: Sql, limit: number) => sql<PurgedProject[]>`
  select org_id as "orgId", id from projects where purged_at is not null and emptied_at is null
  order by purged_at limit ${limit}`

const updateEmptied = (sql: Sql, orgId: string, id: string, now: Date) => sql`
  with workspaces as (delete from project_workspaces where org_id = ${orgId} and project_id = ${id}),
    favourites as (delete from project_favourites where org_id = ${orgId} and project_id = ${id})
  update projects set emptied_at = ${now} where org_id = ${orgId} and id = ${id}`
