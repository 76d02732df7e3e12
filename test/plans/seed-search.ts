import type { Sql } from '../../server/database/database.ts'
import type { World } from './seed.ts'

const NIL = '00000000-0000-0000-0000-000000000000'
const TYPES = [
  'project',
  'file',
  'block',
  'session',
  'message',
  'memory',
  'skill',
  'agent',
  'run',
  'call',
  'sms',
]
/** In a large world, entering every row would take minutes. */
const FILLED_MAX = 10_000

/** Enters the rows that can be found: no trigger fires while a world is seeded. */
export async function seedSearch(sql: Sql, { owner: { orgId } }: World): Promise<void> {
  for (const type of TYPES)
    await sql`select from ${sql(`search_fill_${type}`)}(${orgId}, ${NIL}, ${NIL}, ${FILLED_MAX})`
}
