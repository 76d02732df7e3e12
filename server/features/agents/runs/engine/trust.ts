import type { Sql } from '../../../../database/database.ts'
import type { Trust } from '../../../../tools/tool.ts'
import type { LeasedRun } from './lease.ts'

export const lowestOf = (trusts: readonly Trust[]): Trust =>
  (['untrusted', 'verified'] as const).find((trust) => trusts.includes(trust)) ?? 'trusted'

/** The trust of a run falls when it reads content from outside, and never rises. */
export const lowerTrust = (sql: Sql, { orgId, id }: Pick<LeasedRun, 'orgId' | 'id'>, to: Trust) => sql`
  update runs set trust = ${to}
  where org_id = ${orgId} and id = ${id} and trust <> ${to} and (trust = 'trusted' or ${to}::text = 'untrusted')`

/** The trust of a run as it is now: the worker may have lowered it since it claimed the run. */
export async function trustOf(sql: Sql, { orgId, id }: Pick<LeasedRun, 'orgId' | 'id'>): Promise<Trust> {
  const [row] = await sql<{ trust: Trust }[]>`select trust from runs where org_id = ${orgId} and id = ${id}`
  return row!.trust
}
