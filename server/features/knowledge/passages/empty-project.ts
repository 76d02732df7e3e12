import { inBatch } from '../../../database/delete-batch.ts'
import type { EmptyProject } from '../../../feature.ts'
import { lockCounts } from './store.ts'

/** A project is a space, so its counts go with it and need no subtraction. */
export const emptyProjectPassages: EmptyProject = async ({ sql }, { orgId, id }, limit) => {
  await lockCounts(sql, orgId)
  const inSpace = sql`t where t.org_id = ${orgId} and t.space_id = ${id}`
  for (const table of ['passages', 'passage_terms', 'passage_counts', 'passage_sources']) {
    const { count } = await sql`
      delete from ${sql(table)} where ${inBatch(sql, sql`${sql(table)} ${inSpace}`, limit)}`
    if (count > 0) return count
  }
  return 0
}
