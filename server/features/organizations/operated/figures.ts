import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'

const BATCH = 200
/** Even without events, once a day: retention deletes rows too. */
const IDLE_MS = 86_400_000

const countAll = job('organizations.count-figures', z.object({}), { lane: 'bulk' })

export async function countFigures({ sql, now }: Pick<JobContext, 'sql' | 'now'>): Promise<void> {
  const idleSince = new Date(now().getTime() - IDLE_MS)
  let after: string | null = null
  do {
    const batch: { id: string; isOutdated: boolean }[] = await listOutdated(sql, {
      after,
      idleSince,
      limit: BATCH,
    })
    for (const { id, isOutdated } of batch) if (isOutdated) await updateFigures(sql, id, now())
    after = batch.length === BATCH ? batch.at(-1)!.id : null
  } while (after !== null)
}

export const figureJobs = [onJob(countAll, countFigures)]
export const figureSchedules = [{ job: countAll, cron: '*/15 * * * *' }]

interface Batch {
  after: string | null
  idleSince: Date
  limit: number
}

const listOutdated = (sql: Sql, { after, idleSince, limit }: Batch) => sql<
  { id: string; isOutdated: boolean }[]
>`
  select f.org_id as id, f.counted_at < ${idleSince} or coalesce(${lastEventAt(sql)} > f.active_at, false) as "isOutdated"
  from organization_figures f
  where ${after === null ? sql`true` : sql`f.org_id > ${after}`} order by f.org_id limit ${limit}`

export const updateFigures = (sql: Sql, orgId: string, now: Date) => sql`
  update organization_figures f set
    members = o.member_count,
    projects = ${quotaUsage(sql, 'projects')},
    files = ${quotaUsage(sql, 'files')},
    storage = ${quotaUsage(sql, 'storage')},
    runs = (select count(*) from runs r where r.org_id = o.id),
    spend = coalesce((select sum(cost) from usage_days u where u.org_id = o.id), 0),
    active_at = coalesce(${lastEventAt(sql)}, f.active_at),
    counted_at = ${now}
  from organizations o where o.id = ${orgId} and f.org_id = o.id`

export const quotaUsage = (sql: Sql, quota: 'projects' | 'files' | 'storage'): Fragment => sql`
  greatest(0, coalesce((select sum(amount) from quota_usage q where q.org_id = o.id and q.quota = ${quota}), 0))`

const lastEventAt = (sql: Sql): Fragment => sql`(
  select e.received_at from events e where e.org_id = f.org_id order by e.id desc limit 1)`
