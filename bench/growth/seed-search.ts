import type { Pool } from '../../server/database/database.ts'

const NIL = '00000000-0000-0000-0000-000000000000'
const TYPES = ['project', 'file', 'session', 'message', 'run']

/** Enters everything that can be found, as the worker does after an upgrade. */
export async function seedSearch(sql: Pool): Promise<void> {
  for (const type of TYPES)
    await sql`
      select count(*) from growth_orgs o cross join lateral ${sql(`search_fill_${type}`)}(o.org_id, ${NIL}, ${NIL}, 2000000)`
  await sql`delete from search_backlog`
}
