import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { isProjectVisible } from '../../projects/access/access.ts'

/**
 * Whether the caller sees the memory `m`: that of the organization, and that of visible projects. A proposal for the
 * organization is visible to people who can see the project of its run, since no person has checked its text.
 */
export function isMemoryVisible(sql: Sql, caller: Caller): Fragment {
  const projectId = sql`coalesce(m.project_id, case when m.status <> 'active' then m.origin_project_id end)`
  return sql`(${projectId} is null or ${isProjectVisible(sql, caller, projectId)})`
}
