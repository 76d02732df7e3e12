import { HEALTH_LIMITS } from '../../../../contract/organizations/health-options.ts'
import type { Sql } from '../../../database/database.ts'

/** The current load of all organizations; only operators can read it. */

/** Deliveries are counted up to this number for each organization. */
const DELIVERIES_MAX = 1000

export interface LoadRow {
  orgId: string
  runs: number
  deliveries: number
  jobs: number
}

/** Runs that are active, deliveries that wait, and jobs by the flag of their organization. */
export const countLoad = (sql: Sql) => sql<LoadRow[]>`
  with recursive orgs as (
    (select org_id from deliveries where status in ('pending', 'retrying') order by org_id limit 1)
    union all
    select n.org_id from orgs o cross join lateral (
      select d.org_id from deliveries d
      where d.status in ('pending', 'retrying') and d.org_id > o.org_id order by d.org_id limit 1
    ) n
  )
  select org_id as "orgId", sum(runs)::int as runs, sum(deliveries)::int as deliveries, sum(jobs)::int as jobs
  from (
    select org_id, count(*) as runs, 0 as deliveries, 0 as jobs from (
      select org_id from runs where agent_id is not null and status in ('queued', 'running') limit ${HEALTH_LIMITS.counted}
    ) r group by org_id
    union all
    select o.org_id, 0, d.count, 0 from orgs o cross join lateral (
      select count(*) from (
        select from deliveries d where d.org_id = o.org_id and d.status in ('pending', 'retrying') limit ${DELIVERIES_MAX}
      ) waiting
    ) d
    union all
    select split_part(flag, ' ', 2)::uuid, 0, 0, count(*) from (
      select jsonb_object_keys(flags) as flag from graphile_worker._private_jobs
      where flags is not null limit ${HEALTH_LIMITS.counted}
    ) j group by 1
  ) load
  group by org_id`

export const listNames = (sql: Sql, orgIds: string[]) => sql<{ id: string; name: string }[]>`
  select id, name from organizations where id = any(${orgIds}::uuid[])`
