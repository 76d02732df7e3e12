import type { Sql } from '../../server/database/database.ts'
import type { World } from './seed.ts'
import { idOf, uuid } from './seed-tables.ts'

/** A connection of the owner with calls. */
export const CONNECTION_ID = idOf('b', 1)

/** Each fifth one belongs to the owner. The number is the default quota. */
export async function seedConnections(sql: Sql, { owner }: World, calls: number): Promise<void> {
  const users = sql`(select array_agg(user_id) from (select user_id from memberships where org_id = ${owner.orgId} order by user_id limit 5) m)`
  await sql`
    insert into connections (org_id, id, user_id, connector_slug, status, shared, refresh_due_at, created_at, updated_at)
    select ${owner.orgId}, ${uuid(sql, 'b')}, case when n % 5 = 1 then ${owner.id}::uuid else coalesce(users[1 + n % 5], ${owner.id}::uuid) end,
      'github', 'active', case when n % 50 = 0 then 'org' else 'none' end, now() + interval '1 hour', now(), now()
    from generate_series(1, 1000) n, (select ${users} as users) u`
  await sql`
    insert into connection_calls (org_id, id, connection_id, run_id, tool, status, request, attempts, started_at, duration_ms)
    select ${owner.orgId}, ${uuid(sql, 'c')}, ${CONNECTION_ID}, ${uuid(sql, '7')}, 'search_issues', 'succeeded', '{}', 1, now(), 5
    from generate_series(1, ${calls}::int) n`
}
