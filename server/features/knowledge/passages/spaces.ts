import type { Context } from '../../../context.ts'
import { isProjectVisible } from '../../projects/access/access.ts'
import { findProjectId } from '../../search/search.ts'

/** Projects with passages that the caller sees, and the organization. */
export async function listSpaces(
  { sql, caller }: Pick<Context, 'sql' | 'caller'>,
  projectRef: string | undefined,
): Promise<string[]> {
  if (projectRef !== undefined) return [await findProjectId(sql, caller, projectRef)]
  const rows = await sql<{ id: string }[]>`
    select c.space_id as id from (
      select distinct c.space_id from passage_counts c where c.org_id = ${caller.orgId} and c.passages > 0
    ) c
    where c.space_id = ${caller.orgId} or ${isProjectVisible(sql, caller, sql`c.space_id`)}
    order by c.space_id`
  return rows.map(({ id }) => id)
}
