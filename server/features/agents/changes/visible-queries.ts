import type { Context } from '../../../context.ts'
import { projectAccess } from '../../projects/access/access.ts'

/** The ids of the projects that the caller can see. */
export async function filterVisible({ sql, caller }: Context, ids: string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select p.id from projects p
    where p.org_id = ${caller.orgId} and p.id = any(${ids}::uuid[]) and p.deleted_at is null
      and ${projectAccess(sql, caller)} is not null`
  return rows.map(({ id }) => id)
}
