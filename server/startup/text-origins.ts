import { createLookups } from '../concurrency/lookups.ts'
import type { Pool, Sql } from '../database/database.ts'
import { findTextOrigins, listTextOrigins, type RecordsRead } from '../features/agents/runs/runs.ts'
import type { ListTextOrigins } from '../tools/text-guard.ts'

/** Two, so that one large output doesn't delay everyone. */
const SEARCHES = 2
const READS_MAX = 50

/** MCP calls at the same time share a statement, unless they are `inside` a transaction. */
export function createTextOrigins(pool: Pool): (orgId: string, inside?: Sql) => ListTextOrigins {
  const find = createLookups<RecordsRead, ReadonlySet<string>>({
    find: (reads) => findTextOrigins(pool, reads),
    nameOf: ({ orgId, recordIds }) => `${orgId} ${recordIds.join()}`,
    running: SEARCHES,
    keys: READS_MAX,
  })
  return (orgId, inside) =>
    inside ? listTextOrigins(inside, orgId) : async (recordIds) => (await find({ orgId, recordIds }))!
}
