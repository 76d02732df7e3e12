import type { OutputOf } from '../../../contract/endpoint.ts'
import type { home } from '../../../contract/home/home.ts'
import { HOME_LIMITS } from '../../../contract/home/home-options.ts'
import type { Caller } from '../../context.ts'
import type { Sql } from '../../database/database.ts'
import { projectAccess, projectById } from '../projects/access/access.ts'

type LiveRun = OutputOf<typeof home.read>['live'][number]

/** Per status, before projects that the caller can't see are left out. */
const READ_MAX = 100

/** Runs at work, or waiting for runs they started or to call their model again. Not those other runs started. */
export async function listLive(sql: Sql, caller: Caller): Promise<LiveRun[]> {
  const withStatus = (status: LiveRun['status']) => sql`(
    select r.* from runs r
    where r.org_id = ${caller.orgId} and r.agent_id is not null and r.status = ${status} and r.parent_run_id is null
      ${status === 'waiting' ? sql`and r.wait ->> 'for' in ('retry', 'child')` : sql``}
    order by r.status, r.id desc limit ${READ_MAX})`
  const rows = await sql<
    (Omit<LiveRun, 'agent' | 'project' | 'cost'> & {
      agentId: string
      agentName: string | null
      projectId: string
      projectName: string
      cost: string
    })[]
  >`
    select r.id, coalesce(r.title, '') as title, r.status, r.agent_id as "agentId", p.id as "projectId",
      p.name as "projectName", r.cost, r.started_at as "startedAt", r.created_at as "createdAt", (
        select g.name from agents g where g.org_id = ${caller.orgId} and g.id = any(array[r.agent_id]) order by g.id limit 1
      ) as "agentName", (
        select s.name from schedules s where s.org_id = ${caller.orgId} and s.id = any(array[r.schedule_id])
        order by s.id limit 1) as "scheduleName",
      (select coalesce(max(st.n), 0) from run_steps st where st.org_id = ${caller.orgId} and st.run_id = r.id) as steps
    from (${withStatus('running')} union all ${withStatus('queued')} union all ${withStatus('waiting')}) r
    cross join lateral ${projectById(sql, caller.orgId, sql`r.project_id`)} p
    where p.deleted_at is null and ${projectAccess(sql, caller)} is not null
    order by r.id desc limit ${HOME_LIMITS.live}`
  return rows.map(({ agentId, agentName, projectId, projectName, cost, ...run }) => ({
    ...run,
    agent: { id: agentId, name: agentName ?? '' },
    project: { id: projectId, name: projectName },
    cost: { amount: cost, currency: 'USD' },
  }))
}
