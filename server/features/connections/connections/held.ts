import type { Sql } from '../../../database/database.ts'

/** How many events wait for each connection; connections without any may be absent. */
export type CountHeld = (
  sql: Sql,
  orgId: string,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, number>>
