import type { Sql } from '../database/database.ts'

export interface Suspension {
  orgId: string
  kind: 'operator' | 'erasure'
  reason: string
  since: string
  /** The time at which the organization is erased; null without an erasure. */
  eraseAfter: string | null
}

/** Suspensions by operators come first: an organization that is to be erased can be suspended as well. */
export const readSuspensions = (sql: Sql) => sql<Suspension[]>`
  select distinct on (s.org_id) s.org_id as "orgId", s.kind, s.reason, s.suspended_at as since, (
      select e.erase_after from erasures e
      where e.subject_id = s.org_id and e.status in ('scheduled', 'running')) as "eraseAfter"
  from suspensions s order by s.org_id, s.kind desc`
