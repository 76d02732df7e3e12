import { HEALTH_LIMITS } from '../../../../contract/organizations/health-options.ts'
import type { Sql } from '../../../database/database.ts'
import type { ProcessRow } from '../../../processes/process-queries.ts'
import { countLoad, listNames } from './load-queries.ts'

const FIGURES = ['requests', 'runs', 'deliveries', 'jobs'] as const

interface Load {
  requests: number
  seconds: number
  runs: number
  deliveries: number
  jobs: number
}

const NONE: Load = { requests: 0, seconds: 0, runs: 0, deliveries: 0, jobs: 0 }

/** The organizations with the highest load: requests as processes count them, and waiting or running work in the database. */
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
  // An organization that was erased in between has no name.
  return largest.flatMap(([id, load]) => (names.has(id) ? [{ id, name: names.get(id)!, ...load }] : []))
}

/** Requests and runs have no common unit: the share of each is compared. */
function byShare(loads: ReadonlyMap<string, Load>) {
  const totals = FIGURES.map((name) => [...loads.values()].reduce((sum, load) => sum + load[name], 0))
  const shareOf = (load: Load) =>
    FIGURES.reduce((sum, name, index) => sum + (totals[index] ? load[name] / totals[index]! : 0), 0)
  return ([, a]: [string, Load], [, b]: [string, Load]) => shareOf(b) - shareOf(a)
}
