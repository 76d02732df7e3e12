import type { Sql } from '../../server/database/database.ts'
import type { World } from './seed.ts'
import { uuid } from './seed-tables.ts'

const NIL = '00000000-0000-0000-0000-000000000000'
const TYPES = [
  'project',
  'file',
  'block',
  'table',
  'session',
  'message',
  'memory',
  'skill',
  'agent',
  'run',
  'call',
  'sms',
]
/** The maximum number of rows to index: in a large seed, indexing every row would take minutes. */
const FILLED_MAX = 10_000

/** Indexes the rows for search: no trigger fires during seeding. */
export async function seedSearch(sql: Sql, world: World): Promise<void> {
  const { orgId } = world.owner
  for (const type of TYPES)
    await sql`select from ${sql(`search_fill_${type}`)}(${orgId}, ${NIL}, ${NIL}, ${FILLED_MAX})`
  await seedOpened(sql, world)
}

/** Inserts the maximum of opened projects for each caller, and one for each other member. */
async function seedOpened(sql: Sql, { owner, member, smallMember, projectId, count }: World): Promise<void> {
  await sql`
    insert into search_opened (org_id, user_id, type, id, opened_at)
    select ${owner.orgId}, ${uuid(sql, 'a')}, 'project', ${uuid(sql, 'b')}, now() from generate_series(1, ${count}::int) n`
  for (const { orgId, id } of [owner, member, smallMember])
    await sql`
      insert into search_opened (org_id, user_id, type, id, opened_at)
      select p.org_id, ${id}::uuid, 'project', p.id, now() from projects p where p.org_id = ${orgId}
      order by p.id = ${projectId} desc, p.id desc limit 50`
}
