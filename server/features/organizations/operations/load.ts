import { HEALTH_LIMITS } from '../../../../contract/organizations/health-options.ts'
import type { Sql } from '../../../database/database.ts'
import type { ProcessRow } from '../../../observability/heartbeat.ts'

const FIGURES = ['requests', 'runs', 'deliveries', 'jobs'] as const

interface Load {
  requests: number
  seconds: number
  runs: number
  deliveries: number
  jobs: number
}

const NONE: Load = { requests: 0, seconds: 0, runs: 0, deliveries: 0, jobs: 0 }

export async function readLoad(sql: Sql, processes: readonly ProcessRow[]) {
  const loads = new Map<string, Load>()
  const add = (orgId: string, increments: Partial<Load>) => {
    const load = loads.get(orgId) ?? NONE
    const sum = Object.entries(increments).map(([name, value]) => [name, load[name as keyof Load] + value])
    loads.set(orgId, { ...load, ...Object.fromEntries(sum) })
  }
  for (const { figures } of processes)
    for (const { orgId, requests, seconds } of figures.organizations) add(orgId, { requests, seconds })
  for (const { orgId, ...counts } of await countLoad(sql)) add(orgId, counts)
  const largest = [...loads].sort(byShare(loads)).slice(0, HEALTH_LIMITS.organizations)
  const rows = await listNames(
    sql,
    largest.map(([orgId]) => orgId),
  )
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  // An organization erased in the meantime has no name.
  return largest.flatMap(([id, load]) => (names.has(id) ? [{ id, name: names.get(id)!, ...load }] : []))
}

/** Requests and runs have no common unit, so this compares shares. */
function byShare(loads: ReadonlyMap<string, Load>) {
  const totals = FIGURES.map((name) => [...loads.values()].reduce((sum, load) => sum + load[name], 0))
  const shareOf = (load: Load) =>
    FIGURES.reduce((sum, name, index) => sum + (totals[index] ? load[name] / totals[index]! : 0), 0)
  return ([, a]: [string, Load], [, b]: [string, Load]) => shareOf(b) - shareOf(a)
}

// Across organizations. Only operators can read it.

const DELIVERIES_MAX = 1000

interface LoadRow {
  orgId: string
  runs: number
  deliveries: number
  jobs: number
}

const countLoad = (sql: Sql) => sql<LoadRow[]>`
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

const listNames = (sql: Sql, orgIds: string[]) => sql<{ id: string; name: string }[]>`
  select id, name from organizations where id = any(${orgIds}::uuid[])`
