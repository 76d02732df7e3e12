import { recordAudit } from '../../../audit/record.ts'
import type { JobContext } from '../../../context.ts'
import { publishIn } from '../../../events/publish.ts'
import type { EmptyProject } from '../../../feature.ts'
import * as queries from './purge-queries.ts'
import { auditName } from './records.ts'

const PROJECTS_PER_BATCH = 20
/** Rows that one transaction deletes: its locks are short for projects of any size. */
const ROWS_PER_BATCH = 1000

/** Each of `steps` deletes the rows of one feature for a project. */
export const emptyPurgedProjects = (steps: () => EmptyProject[]) => async (ctx: JobContext) => {
  while ((await purgeExpired(ctx)) === PROJECTS_PER_BATCH);
  const failures: unknown[] = []
  for (const project of await queries.listToEmpty(ctx.sql, PROJECTS_PER_BATCH * 10))
    await emptyOne(ctx, project, steps()).catch((error) => failures.push(error))
  // One failure does not stop the others; the job is retried for it.
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} projects could not be emptied`)
}

const purgeExpired = (ctx: JobContext): Promise<number> =>
  ctx.transaction(async (inside) => {
    const now = ctx.now()
    const expired = await queries.lockExpired(inside.sql, now, PROJECTS_PER_BATCH)
    for (const project of expired) {
      const { orgId, id, userId } = project
      await queries.updatePurged(inside.sql, orgId, id, now)
      const by = { orgId, userId, via: 'system' as const }
      await recordAudit(inside, { action: 'project.purged', by, target: id, details: auditName(project) })
      await publishIn(inside.sql, orgId, now, { type: 'project.purged', data: { projectId: id, by: null } })
    }
    return expired.length
  })

async function emptyOne(ctx: JobContext, project: queries.PurgedProject, steps: EmptyProject[]) {
  for (const step of steps)
    while ((await ctx.transaction((inside) => step(inside, project, ROWS_PER_BATCH))) > 0);
  await queries.updateEmptied(ctx.sql, project.orgId, project.id, ctx.now())
}
